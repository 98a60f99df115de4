import { describe, expect, onTestFinished, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { lineOf, openShop, packagesOf, shopper, useSession } from "../bookings/packages/package-shop.ts";
import { byAmount, newNote } from "../credit-notes/notes.ts";
import { eventsOf } from "../events/events.ts";
import { newRefund } from "../refunds/refunds.ts";
import { saleOf } from "../refunds/sales.ts";
import { expectStatus } from "../school.ts";
import { gatewayOrderOf, placeOrder } from "../storefront/shop.ts";
import { dueOfInvoice, putBack, takeBack } from "./put-back.ts";

describe("the packages that the taking back cancelled", () => {
  type Listed = { id: number; status: string; sessions_used: number };
  const packages = async (company: TestCompany) => (await packagesOf(company)) as unknown as Listed[];

  /** An order of two packages which was paid, whose lines are 1 and 2. */
  async function soldPackages(outcome: "paid" | "twice" = "paid") {
    const opened = await openShop();
    const { company, packageId } = opened;
    onTestFinished(() => expectSound(company));
    const placed = await placeOrder(company, {
      ...{ items: [lineOf(packageId), lineOf(packageId)], customer: shopper },
    });
    await play(company, "razorpay", gatewayOrderOf(placed), outcome);
    const sale = await saleOf(opened, "order", String(placed.order_id));
    const [second, first] = await packages(company);
    const set = async (id: number | undefined, body: object) =>
      must(await company.call("PATCH", `/settings/:company/booking-packages/${id}`, { body }), 200);
    return {
      ...opened,
      sale,
      first,
      second,
      set,
      statuses: async () => (await packages(company)).map(({ status }) => status).reverse(),
    };
  }

  test("are active again, with the sessions that were used; a lesson that was marked stays to review", async () => {
    const { company, school, sale, first, statuses } = await soldPackages();
    const lesson = expectStatus(await useSession(school, first?.id, "10:00"), 201).body.booking;
    await takeBack(sale);
    expect(await statuses()).toEqual(["cancelled", "cancelled"]);
    must(await putBack(sale), 200);
    expect(await statuses()).toEqual(["active", "active"]);
    const [newest] = await eventsOf(company, "type=package.updated");
    expect(newest).toMatchObject({ data: { status: "active" }, previous: { status: "cancelled" } });
    expect((await packages(company)).at(-1)).toMatchObject({ id: first?.id, sessions_used: 1 });
    expect(await company.read(`/settings/:company/bookings/${lesson.id}`)).toMatchObject({
      ...{ status: "confirmed", needs_review: true },
    });
    expectStatus(await useSession(school, first?.id, "12:00"), 201);
  });

  test("are as before: what staff cancelled and what a note credited in full stays cancelled, what is over reads expired", async () => {
    const { company, sale, first, second, set, statuses } = await soldPackages();
    await set(first?.id, { status: "cancelled" });
    await set(second?.id, { expires_at: "2026-01-01T00:00:00Z" });
    await takeBack(sale);
    must(await putBack(sale), 200);
    expect(await statuses()).toEqual(["cancelled", "expired"]);
    await set(first?.id, { status: "active" });
    await takeBack(sale);
    await newNote(company, sale.invoiceId, byAmount(sale.itemId, 300));
    must(await putBack(sale), 200);
    expect(await statuses()).toEqual(["cancelled", "expired"]);
  });

  test("are active again whichever payment of the order pays", async () => {
    const { sale, statuses } = await soldPackages("twice");
    await takeBack(sale);
    must(await putBack(sale, 1), 200);
    expect(await statuses()).toEqual(["active", "active"]);
    expect(await sale.due()).toEqual([600]);
  });

  test("stay cancelled while a part of the invoice is due", async () => {
    const { company, sale, statuses } = await soldPackages();
    await takeBack(sale);
    await newRefund(company, { capture_id: sale.payments[0]?.id, amount: 200 });
    must(await putBack(sale), 200);
    expect(await dueOfInvoice(sale)).toBe(200);
    expect(await statuses()).toEqual(["cancelled", "cancelled"]);
  });
});
