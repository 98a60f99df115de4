import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { byAmount, newNote } from "../../credit-notes/notes.ts";
import { expectRefused } from "../../refusal.ts";
import { expectStatus, readBooking, STUDENT } from "../../school.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  placeOrder,
  postCheckout,
  razorpayEvent,
} from "../../storefront/shop.ts";
import { lineOf, openShop, packagesOf, shopper, useSession } from "./package-shop.ts";

test("a package product in the shop names an active lesson and its sessions, or is 422 invalid_product", async () => {
  const { company, packageId, school } = await openShop();
  const post = (fields: object) =>
    company.call<Record<string, unknown>>("POST", "/products/:company", {
      body: { name: "Package", unit_id: 1, is_package: true, sessions: 5, ...fields },
    });
  const refused = { status: 422, body: { code: "invalid_product" } };
  expect(await post({ is_storefront_visible: true })).toMatchObject(refused);
  expect(await post({ lesson_product_id: school.courseId, sessions: null })).toMatchObject(refused);
  expect(await post({ lesson_product_id: packageId })).toMatchObject(refused);
  expect(await post({ lesson_product_id: 999_999 })).toMatchObject(refused);
  const waiting = must(await post({}), 201).body.data;
  expect(waiting).toMatchObject({ is_storefront_visible: false, lesson_product_id: null });
  const patch = (body: object) => company.call("PATCH", `/products/:company/${waiting.id}`, { body });
  expect(await patch({ is_storefront_visible: true })).toMatchObject(refused);
  const shown = await patch({ is_storefront_visible: true, lesson_product_id: school.courseId });
  expect(shown).toMatchObject({
    status: 200,
    body: { data: { lesson_product_id: String(school.courseId), package_days: null } },
  });
  expect(await patch({ lesson_product_id: null })).toMatchObject(refused);
});

describe("an order of packages", () => {
  test.each([1.5, 0.1])(
    "of %s is refused: its sessions are no whole number of at least 1",
    async (quantity) => {
      const { company, packageId } = await openShop();
      const answer = await postCheckout(company, {
        items: [lineOf(packageId, 1), lineOf(packageId, quantity)],
      });
      expectRefused(answer, { "items[1].quantity": "invalid_quantity" });
      await placeOrder(company, { items: [lineOf(packageId, 0.4)] });
    },
  );

  test("whose lesson is no longer given is not sold, and one that was ordered before grants nothing", async () => {
    const { company, connected, packageId, school } = await openShop();
    await newCustomer(company, STUDENT);
    const placed = await placeOrder(company, { items: [lineOf(packageId)], customer: shopper });
    const path = `/products/:company/${school.courseId}`;
    must(await company.call("PATCH", path, { body: { status: "inactive" } }), 200);
    const answer = await postCheckout(company, { items: [lineOf(packageId)] });
    expectRefused(answer, { "items[0].product_id": "not_found" });
    expect(await company.call("GET", `/storefront/:company/products/${packageId}`)).toMatchObject({
      status: 404,
    });
    must(await deliver(company, connected, razorpayEvent(placed)), 200);
    expect(await packagesOf(company)).toEqual([]);
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      payment_status: "paid",
      packages_missing: true,
    });
    const codes = "SELECT review_code FROM sales_orders";
    expect(await company.rows(codes)).toEqual([{ review_code: "packages_missing" }]);
    must(await company.call("PATCH", path, { body: { status: "active" } }), 200);
    await placeOrder(company, { items: [lineOf(packageId)] });
    await expectSound(company);
  });

  test("grants each line once, by its quantity, to the customer that the shopper is", async () => {
    const { company, connected, packageId, school } = await openShop();
    const { id: customerId } = await newCustomer(company, STUDENT);
    const items = [lineOf(packageId, 2), { name: "Mug", quantity: 1, unit_price: 10 }, lineOf(packageId)];
    const placed = await placeOrder(company, { items, customer: shopper });
    expect(await packagesOf(company)).toEqual([]);
    const event = razorpayEvent(placed);
    await Promise.all(Array.from({ length: 20 }, () => deliver(company, connected, event)));
    expect(await packagesOf(company)).toMatchObject([
      { customer_id: customerId, sessions_total: 5, order_id: placed.order_id, product_id: school.courseId },
      { customer_id: customerId, sessions_total: 10, order_id: placed.order_id, name: "Five lessons" },
    ]);
    const order = await getOrder(company, placed.order_id);
    expect(order).toMatchObject({
      payment_status: "paid",
      packages_missing: false,
      packages: [
        { sessions_total: 10, sessions_used: 0, status: "active" },
        { sessions_total: 5, sessions_used: 0, status: "active" },
      ],
    });
    const [granted] = await packagesOf(company);
    const days = (Date.parse(String(granted?.expires_at)) - Date.parse(String(order.paid_at))) / 86_400_000;
    expect(days).toBe(90);
    expectStatus(await useSession(school, granted?.id, "10:00"), 201);
    await expectSound(company);
  });

  test.each(["refund", "void"])("that is taken back by a %s takes the unused sessions back", async (how) => {
    const { company, packageId, school } = await openShop();
    await newCustomer(company, STUDENT);
    const placed = await placeOrder(company, { items: [lineOf(packageId)], customer: shopper });
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    const [granted] = await packagesOf(company);
    const { body } = expectStatus(await useSession(school, granted?.id, "10:00"), 201);
    const [payment] = await company.rows("SELECT id, invoice_id FROM payments");
    const path =
      how === "refund"
        ? `/payments/:company/${payment?.id}/refund`
        : `/invoices/:company/${payment?.invoice_id}/void`;
    must(await company.call("POST", path, { body: {} }), 200);
    expect(await packagesOf(company)).toMatchObject([
      { status: "cancelled", sessions_total: 5, sessions_used: 1 },
    ]);
    expect((await getOrder(company, placed.order_id)).packages).toMatchObject([{ status: "cancelled" }]);
    const refused = await useSession(school, granted?.id, "14:00");
    expect(refused).toMatchObject({ status: 422, body: { code: "package_not_found" } });
    expect(await readBooking(company, body.booking.id)).toMatchObject({ status: "confirmed" });
    const staff = await company.call("GET", `/settings/:company/bookings/${body.booking.id}`);
    expect(staff.body.data).toMatchObject({ needs_review: true });
    await expectSound(company);
  });

  test("whose line is credited in part needs review, and wholly is cancelled", async () => {
    const { company, packageId } = await openShop();
    const placed = await placeOrder(company, { items: [lineOf(packageId)], customer: shopper });
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    const [invoice] = await company.rows("SELECT invoice_id, id FROM invoice_items");
    const id = String(invoice?.invoice_id);
    await newNote(company, id, byAmount(String(invoice?.id), 100));
    expect(await packagesOf(company)).toMatchObject([{ status: "active" }]);
    const order = await company.call("GET", `/orders/:company/${placed.order_id}`);
    expect(order.body.data).toMatchObject({ needs_review: true, review_code: "package_credited" });
    await newNote(company, id);
    expect(await packagesOf(company)).toMatchObject([{ status: "cancelled" }]);
    await expectSound(company);
  });
});
