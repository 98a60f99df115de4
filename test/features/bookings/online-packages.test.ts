import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { connectGateway, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer, refusedFields, rowsOf } from "../commerce.ts";
import { newProduct } from "../money.ts";
import {
  book,
  daysAhead,
  expectStatus,
  newCourse,
  openSchool,
  readBooking,
  type School,
  STUDENT,
  schoolCall,
} from "../school.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  placeOrder,
  postCheckout,
  razorpayEvent,
} from "../storefront/shop.ts";

const DATE = daysAhead(7);
const PAGES = { return_url: "https://a.example/a", cancel_url: "https://a.example/b" };
const shopper = { name: "Mia", email: STUDENT.email, country: "IN" };

async function openShop() {
  const school = await openSchool({});
  const { company } = school;
  const connected = await connectGateway(company, "razorpay");
  const packageId = await newCourse(company, {
    name: "Five lessons",
    selling_price: 300,
    is_package: true,
    sessions: 5,
    lesson_product_id: school.courseId,
    package_days: 90,
  });
  return { school, company, connected, packageId };
}

const lineOf = (id: number, quantity = 1) => ({ product_id: id, name: "P", quantity, unit_price: 300 });

async function packagesOf(company: TestCompany) {
  const answer = await schoolCall<{ packages: Record<string, unknown>[] }>(
    company,
    "GET",
    `/packages?customer_email=${STUDENT.email}`,
  );
  return expectStatus(answer, 200).body.packages;
}

function useSession(school: School, packageId: unknown, start_time: string) {
  return book(school, {
    booking_date: DATE,
    start_time,
    product_id: undefined,
    booking_package_id: packageId,
  });
}

describe("a package product in the shop", () => {
  test("names an active lesson and its sessions, or is 422 invalid_product", async () => {
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
});

describe("an order of packages", () => {
  test.each([1.5, 0.1])(
    "of %s is refused: its sessions are no whole number of at least 1",
    async (quantity) => {
      const { company, packageId } = await openShop();
      const answer = await postCheckout(company, {
        items: [lineOf(packageId, 1), lineOf(packageId, quantity)],
      });
      expect(answer.status).toBe(422);
      expect(refusedFields(answer)).toEqual({ "items[1].quantity": "invalid_quantity" });
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
    expect(answer.status).toBe(422);
    expect(refusedFields(answer)).toEqual({ "items[0].product_id": "not_found" });
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
    expect(await rowsOf(company, codes)).toEqual([{ review_code: "packages_missing" }]);
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
    const [payment] = await rowsOf(company, "SELECT id, invoice_id FROM payments");
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

  test("whose product has lost its lesson meanwhile is paid all the same, and says what it could not grant", async () => {
    const { company, packageId } = await openShop();
    const placed = await placeOrder(company, { items: [lineOf(packageId)], customer: shopper });
    const body = { is_storefront_visible: false, lesson_product_id: null };
    must(await company.call("PATCH", `/products/:company/${packageId}`, { body }), 200);
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      payment_status: "paid",
      packages: [],
      packages_missing: true,
    });
    await expectSound(company);
  });

  test("leaves other products alone", async () => {
    const { company } = await openShop();
    const mug = await newProduct(company, { selling_price: 10 });
    const placed = await placeOrder(company, { items: [lineOf(Number(mug.id))], customer: shopper });
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    expect(await getOrder(company, placed.order_id)).toMatchObject({ packages: [], packages_missing: false });
  });
});

describe("a booking of a package product", () => {
  async function bookPackage() {
    const opened = await openShop();
    const { school, packageId } = opened;
    const at = { booking_date: DATE, start_time: "10:00", product_id: packageId, ...PAGES };
    const answer = expectStatus(await book(school, at), 201);
    const pay = (outcome: "paid" | "twice" = "paid") =>
      play(opened.company, "razorpay", String(answer.body.payment.payment_data?.gateway_order_id), outcome);
    return { ...opened, booking: answer.body.booking, pay };
  }

  test("grants the package once it is paid, its own lesson being session one", async () => {
    const { company, booking, pay, school } = await bookPackage();
    expect(booking).toMatchObject({ status: "pending", total_amount: 300, end_time: "11:00" });
    expect(await packagesOf(company)).toEqual([]);
    await pay("twice");
    const [granted, ...others] = await packagesOf(company);
    expect(others).toEqual([]);
    expect(granted).toMatchObject({
      booking_id: booking.id,
      product_id: school.courseId,
      sessions_total: 5,
      sessions_used: 1,
      status: "active",
    });
    expectStatus(await useSession(school, granted?.id, "14:00"), 201);
    expect((await packagesOf(company))[0]).toMatchObject({ sessions_used: 2 });
    await expectSound(company);
  });

  test("is granted where its school takes the money itself, too", async () => {
    const { company, booking } = await bookPackage();
    const body = { status: "confirmed", payment_status: "paid" };
    must(await company.call("PATCH", `/settings/:company/bookings/${booking.id}`, { body }), 200);
    expect(await packagesOf(company)).toMatchObject([{ booking_id: booking.id, sessions_used: 1 }]);
    await expectSound(company);
  });

  test("takes the package back when it is cancelled, as its money is due back", async () => {
    const { company, booking, pay, school } = await bookPackage();
    await pay();
    const [granted] = await packagesOf(company);
    expectStatus(await useSession(school, granted?.id, "14:00"), 201);
    expectStatus(await schoolCall(company, "POST", `/bookings/${booking.id}/cancel`, { body: {} }), 200);
    expect(await packagesOf(company)).toMatchObject([{ status: "cancelled", sessions_used: 1 }]);
    const { body } = await company.call<{ needs_review: boolean; payment_status: string }[]>(
      "GET",
      "/settings/:company/bookings",
    );
    expect(body.data).toMatchObject([
      { needs_review: true, payment_status: "paid" },
      { needs_review: true, payment_status: "refund_due" },
    ]);
    await expectSound(company);
  });

  test("is 422 where the package names no lesson", async () => {
    const { company, school } = await openShop();
    const product_id = await newCourse(company, { is_package: true, sessions: 5 });
    const refused = await book(school, { booking_date: DATE, start_time: "10:00", product_id });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_product" } });
  });
});
