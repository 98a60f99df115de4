import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { refusedFields } from "../../commerce.ts";
import { tally, times } from "../../money.ts";
import { deliver, openShop, placeOrder, placeOrders, razorpayEvent } from "../shop.ts";
import { exhaust, expectWhole, implausible, invalid, pay, read, resolve, resolved } from "./review.ts";

test("cancel ends an unpaid draft, and nothing that money came for or that has ended", async () => {
  const shop = await openShop();
  const { company } = shop;
  const [draft, wrong, paid] = await placeOrders(company, 3);
  await pay(shop, wrong, { amount: 9_999 });
  await pay(shop, paid);
  const order = await resolved(shop, draft.order_id, { action: "cancel" });
  expect(order).toMatchObject({
    status: "cancelled",
    payment_status: "unpaid",
    reviewed_at: expect.any(String),
  });
  for (const { order_id } of [draft, wrong, paid])
    expect(await resolve(shop, order_id, { action: "cancel" })).toMatchObject(invalid);
  await expectWhole(shop);
});

test("the note goes to the audit log; what does not belong to an action is refused", async () => {
  const { shop, id } = await implausible();
  const post = async (body: object) => refusedFields(await resolve(shop, id, body));
  expect(await post({ action: "give_back" })).toEqual({ action: "invalid_value" });
  expect(await post({})).toEqual({ action: "required" });
  expect(await post({ action: "invoice", note: "x".repeat(501) })).toEqual({ note: "too_big" });
  expect(await post({ action: "dismiss", tax_amount: 1 })).toEqual({ tax_amount: "not_accepted" });
  expect(await post({ action: "invoice", outside_reference: "x" })).toEqual({
    outside_reference: "not_accepted",
  });
  const note = "Asked the shop:\n18 percent is right.";
  const key = { "Idempotency-Key": randomUUID() };
  const first = must(await resolve(shop, id, { action: "invoice", note }, key), 200);
  expect((await resolve(shop, id, { action: "invoice", note }, key)).text).toBe(first.text);
  const log = await shop.company.call<object[]>("GET", "/settings/:company/audit-log?limit=1");
  expect(must(log, 200).body.data).toMatchObject([{ action: "resolveOrder", record: String(id), note }]);
});

describe("two at once", () => {
  test.each([false, true])("of 20 resolvers exactly one wins; updated_at sent: %s", async (isSent) => {
    const { shop, id } = await implausible();
    const { updated_at } = await read(shop, id);
    const actions = [{ action: "invoice" }, { action: "dismiss", outside_reference: "UTR" }];
    const answers = await times(20, (index) =>
      resolve(shop, id, { ...actions[index % 2], ...(isSent ? { if_updated_at: updated_at } : {}) }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
    const codes = new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code));
    expect([...codes]).toEqual([isSent ? "version_conflict" : "invalid_status"]);
    const count = async (table: string) => (await shop.company.rows(`SELECT id FROM ${table}`)).length;
    const isInvoiced = (await read(shop, id)).status === "invoiced" ? 1 : 0;
    expect([await count("invoices"), await count("payments")]).toEqual([isInvoiced, isInvoiced]);
    await expectWhole(shop);
  });

  test("resolvers and the gateway's events make one invoice at most, and lose no money", async () => {
    const shop = await openShop();
    const quarantined = await times(6, () => placeOrder(shop.company));
    const restore = await exhaust(shop.company);
    for (const [index, placed] of quarantined.entries()) await pay(shop, placed, { id: `pay_race${index}` });
    await restore();
    for (const [index, placed] of quarantined.entries()) {
      const payment = { id: `pay_race${index}` };
      const [resolved, ...events] = await Promise.all([
        resolve(shop, placed.order_id, { action: "invoice" }),
        ...[1, 2].map(() => deliver(shop.company, shop.connected, razorpayEvent(placed, { payment }))),
      ]);
      expect(tally(events)).toEqual({ 200: 2 });
      expect([200, 409]).toContain(resolved?.status);
      expect(await read(shop, placed.order_id)).toMatchObject({ status: "invoiced", needs_refund: false });
    }
    expect(await shop.company.rows("SELECT count(*) AS n FROM invoices")).toEqual([{ n: 6 }]);
    await expectWhole(shop);
  });

  test("a draft that is cancelled while its money comes ends invoiced, or waits for review", async () => {
    const shop = await openShop();
    for (let round = 0; round < 5; round += 1) {
      const placed = await placeOrder(shop.company);
      const [, cancelled] = await Promise.all([
        pay(shop, placed),
        resolve(shop, placed.order_id, { action: "cancel" }),
      ]);
      const ends = {
        200: { status: "cancelled", payment_status: "review", review_code: "effect_refused" },
        409: { status: "invoiced", payment_status: "paid", review_code: null },
      }[cancelled.status];
      expect(ends).toBeDefined();
      expect(await read(shop, placed.order_id)).toMatchObject(ends ?? {});
    }
    await expectWhole(shop);
  });
});
