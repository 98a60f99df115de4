import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { leaveCapture, play } from "../../support/gateways.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { newCustomer, newInvoice, refusedFields } from "../commerce.ts";
import { newPayment, reverse, voidInvoice } from "../money.ts";
import { moneyOf, newUnpaid, openSeller, PAID } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { cutOff, gatewayOrderOf, placeOrder } from "../storefront/shop.ts";
import { addedTo } from "./captures.ts";

type Settled = {
  state: string;
  settled_amount: number;
  invoiced_amount: number;
  advance_amount: number;
  customer_id: string | null;
};

const WAITING = { state: "advance", settled_amount: 0, advance_amount: 354 };
const seller = soundAtEnd(await openSeller());
const { added } = addedTo(seller.company);

const settle = (id: string, body: object, headers: Record<string, string> = {}) =>
  seller.company.call<Settled>("POST", `/ledger/:company/captures/${id}/settle`, { body, headers });

async function newestCapture({ company } = seller): Promise<string> {
  const [row] = await company.rows("SELECT id FROM gateway_captures ORDER BY id DESC LIMIT 1");
  return String(row?.id);
}

describe("money that nothing asked for is settled by hand, with an entry", () => {
  test("given back at the gateway, or from the bank", async () => {
    const [one, two] = [await leaveCapture(seller.company), await leaveCapture(seller.company)];
    expect(await added("Customer Advances")).toBe(-708);
    const settled = must(await settle(one, { outside_reference: "rfnd_1" }), 200).body.data;
    expect(settled).toMatchObject({ state: "settled", settled_amount: 354, advance_amount: 0 });
    expect(await added("Razorpay Clearing")).toBe(354);
    must(await settle(two, { outside_reference: "UTR 1", payment_mode_id: 2 }), 200);
    expect(await added("Razorpay Clearing")).toBe(354);
    expect(await added("Bank")).toBe(-354);
    expect(await added("Customer Advances")).toBe(0);
    const [audit] = await seller.company.rows("SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(audit).toEqual({ action: "settleCapture", note: "UTR 1" });
    // By mistake: it waits again, of the account that it had left by; and once more.
    for (let turn = 0; turn < 2; turn += 1) {
      for (const id of [one, two]) {
        const reopened = await reverse(seller.company, `/ledger/:company/captures/${id}/reopen`);
        expect(must(reopened, 200).body.data).toMatchObject(WAITING);
      }
      expect([await added("Customer Advances"), await added("Bank")]).toEqual([-708, 0]);
      expect(await added("Razorpay Clearing")).toBe(708);
      must(await settle(one, { outside_reference: "rfnd_1" }), 200);
      must(await settle(two, { outside_reference: "UTR 1", payment_mode_id: 2 }), 200);
    }
  });

  test("it pays an invoice up to what is due, and names its customer; the rest goes on waiting", async () => {
    const id = await leaveCapture(seller.company);
    const unpaid = await newUnpaid(seller);
    await newPayment(seller.company, { invoice_id: unpaid.invoice.id, amount: 54 });
    const settled = must(await settle(id, { invoice_id: unpaid.invoice.id }), 200).body.data;
    expect(settled).toMatchObject({
      ...{ state: "advance", invoiced_amount: 300, advance_amount: 54, customer_id: seller.customerId },
    });
    expect(await moneyOf(seller, unpaid)).toEqual(PAID);
    expect(await added("Customer Advances")).toBe(-54);
    const foreign = await newInvoice(seller.company, (await newCustomer(seller.company)).id);
    expect(refusedFields(await settle(id, { invoice_id: foreign.id }))).toEqual({ invoice_id: "not_found" });
    must(await settle(id, { outside_reference: "rfnd_rest" }), 200);
    expect(await added("Customer Advances")).toBe(0);
  });
});

test("a settlement that another overtook while it was cut off is done once it is sent again", async () => {
  const id = await leaveCapture(seller.company);
  const unpaid = await newUnpaid(seller);
  const again = () => settle(id, { invoice_id: unpaid.invoice.id }, { "Idempotency-Key": "cut-off" });
  await seller.company.faults(...cutOff("gateway_captures"));
  const cut = again();
  await expect.poll(() => seller.company.faultsMet(), { interval: 5 }).toBe(2);
  // Another isolate takes some of the money first, and then gives it back.
  const take = (amount: number) =>
    seller.company.rows(
      `UPDATE gateway_captures SET settled_amount = settled_amount + ${amount} WHERE id = ${id}`,
    );
  await take(5_400);
  expect(await cut).toMatchObject(refusal(503, "outcome_unknown"));
  await seller.company.faults();
  await take(-5_400);
  expect(must(await again(), 200).body.data).toMatchObject({ invoiced_amount: 354, advance_amount: 0 });
  expect(await added("Customer Advances")).toBe(0);
});

describe("what cannot be settled is refused, and nothing is written", () => {
  test("the second of two calls at once", async () => {
    const id = await leaveCapture(seller.company);
    const body = { outside_reference: "rfnd_3" };
    const answers = await Promise.all([settle(id, body), settle(id, body), settle(id, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await added("Customer Advances")).toBe(0);
  });

  test("money of an order that waits for it is settled by the order", async () => {
    const placed = await placeOrder(seller.company);
    await play(seller.company, "razorpay", gatewayOrderOf(placed), "wrong_amount");
    const refused = await settle(await newestCapture(), { outside_reference: "x" });
    expect(refused).toMatchObject(
      refusal(409, "invalid_status", { message: expect.stringContaining("resolve the order instead") }),
    );
  });

  test("a body that says neither or both, and what it names that is not there", async () => {
    const id = await leaveCapture(seller.company);
    const { invoice } = await newUnpaid(seller);
    for (const body of [{}, { outside_reference: "x", invoice_id: invoice.id }])
      expect(refusedFields(await settle(id, body))).toEqual({ outside_reference: "required" });
    expect(refusedFields(await settle(id, { invoice_id: "9999" }))).toEqual({ invoice_id: "not_found" });
    const mode = { outside_reference: "x", payment_mode_id: 999 };
    expect(refusedFields(await settle(id, mode))).toEqual({ payment_mode_id: "not_found" });
    must(await voidInvoice(seller.company, invoice.id), 200);
    expect((await settle(id, { invoice_id: invoice.id })).body.code).toBe("invoice_voided");
    expect(await added("Customer Advances")).toBe(-354);
  });

  test("a key without payments:write records no payment", async () => {
    const id = await leaveCapture(seller.company);
    const { invoice } = await newUnpaid(seller);
    const key = await seller.company.key("ledger:write");
    const path = `/ledger/:company/captures/${id}/settle`;
    const refused = await seller.company.call("POST", path, { key, body: { invoice_id: invoice.id } });
    expect(refused).toMatchObject({ status: 403, body: { required_scope: "payments:write" } });
    must(await seller.company.call("POST", path, { key, body: { outside_reference: "x" } }), 200);
  });
});
