import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound, soundAtEnd } from "../../support/oracles.ts";
import { postSettlement, today } from "../money.ts";
import { getRefund, newRefund, paidOrder } from "../refunds/refunds.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { pay } from "../storefront/orders/review.ts";
import { openShop, placeOrder } from "../storefront/shop.ts";
import { balancesOf } from "./captures.ts";

const shop = soundAtEnd(await openShop());
for (const amount of [10_000, 10_000, 5_000]) await pay(shop, await placeOrder(shop.company), { amount });

const settle = (fields: object, { company } = shop) =>
  postSettlement(company, { payout_reference: "setl_1", net_amount: 195.28, ...fields });

test("a payout moves money from clearing to the bank with the gateway's fee, all or nothing", async () => {
  const fee = { fee_amount: 4, fee_tax_amount: 0.72 };
  const wrong = await settle({ ...fee, captures: ["1", "3"] });
  expect(wrong).toMatchObject({ status: 422, body: { code: "settlement_mismatch", difference: 50 } });
  const entry = must(await settle({ ...fee, captures: ["1", "2"] }), 201).body.data;
  expect(entry).toMatchObject({ voucher_type: "settlement", source_type: "settlement" });
  const kept = { gateway: "razorpay", settled_on: today(), ...fee, journal_entry_id: entry.id };
  expect(await shop.company.read("/ledger/:company/settlements")).toMatchObject([kept]);
  expect(await balancesOf(shop.company)).toEqual({
    "Razorpay Clearing": 50,
    Bank: 195.28,
    "Input GST": 0.72,
    "Payment Gateway Charges": 4,
    "Customer Advances": -50,
    Sales: -200,
  });
  expect(await settle(fee)).toMatchObject({ status: 409, body: { code: "duplicate_settlement" } });
  const again = await settle({ ...fee, payout_reference: "setl_2", captures: ["2", "1"] });
  expect(again.body.code).toBe("settlement_mismatch");
});

test("a payout is lessened by the refunds that its gateway took off it, each in one payout", async () => {
  const own = await openShop();
  const { company } = own;
  const { captureId, orderId } = await paidOrder(own, "paid");
  const duplicate = await paidOrder(own);
  const part = await newRefund(company, { order_id: orderId, amount: 40, reason: "deficiency" });
  const whole = await newRefund(company, { capture_id: duplicate.captureId });
  const both = { captures: [captureId, duplicate.captureId], refunds: [part.id, whole.id] };
  const short = { payout_reference: "setl_a", net_amount: 58, fee_amount: 1 };
  expect(await settle({ ...short, ...both }, own)).toMatchObject(
    refusal(422, "settlement_mismatch", { difference: -1 }),
  );
  expectRefused(await settle({ ...short, refunds: [part.id] }, own), { captures: "required" });
  must(await settle({ ...short, ...both, fee_amount: 2 }, own), 201);
  expect(await getRefund(company, part.id)).toMatchObject({ settlement_id: "1" });
  // What paid for the second order stays.
  expect((await balancesOf(company))["Razorpay Clearing"]).toBe(100);
  const again = { payout_reference: "setl_b", net_amount: 60, captures: ["2"], refunds: [part.id] };
  expect(await settle(again, own)).toMatchObject({ body: { code: "settlement_mismatch", difference: -40 } });
  for (const change of [
    "UPDATE gateway_captures SET settlement_id = NULL WHERE id = 1",
    "DELETE FROM settled_refunds",
  ])
    await expect(company.rows(change)).rejects.toThrow();
  await expectSound(company);
});

test("what is of tomorrow, or cannot be posted, is refused, and no trace of it stays", async () => {
  const before = await shop.company.rows("SELECT count(*) AS n FROM settlements");
  const settled_on = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10);
  expectRefused(await settle({ payout_reference: "s1", settled_on }), { settled_on: "too_big" });
  expectRefused(await settle({ payout_reference: "s2", bank_account_id: "14" }), {
    bank_account_id: "not_found",
  });
  expect((await settle({ payout_reference: "s3", settled_on: "2001-01-01" })).body.code).toBe(
    "no_financial_year",
  );
  await shop.company.rows("UPDATE accounts SET is_active = 0 WHERE system_key = 'bank'");
  expect((await settle({ payout_reference: "s4" })).body.code).toBe("account_inactive");
  await shop.company.rows("UPDATE accounts SET is_active = 1 WHERE system_key = 'bank'");
  expect(await shop.company.rows("SELECT count(*) AS n FROM settlements")).toEqual(before);
});

test("what gateways took is listed, by state, order and invoice", async () => {
  const list = async (query: string) =>
    (await shop.company.read<{ id: string }[]>(`/ledger/:company/captures?${query}`)).map(({ id }) => id);
  expect(await list("")).toEqual(["3", "2", "1"]);
  expect(await list("state=advance")).toEqual(["3"]);
  expect(await list("order_id=2")).toEqual(["2"]);
  expect(await list("invoice_id=1&state=invoiced")).toEqual(["1"]);
  expect(await list("customer_id=1&booking_id=x")).toEqual([]);
});
