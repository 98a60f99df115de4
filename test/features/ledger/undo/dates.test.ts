import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { leaveCapture } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { balancesOf } from "../../captures/captures.ts";
import { settle } from "../../captures/put-back.ts";
import { newCustomer, newInvoice, setClock } from "../../commerce.ts";
import { newNote, payOut } from "../../credit-notes/notes.ts";
import { newPayment, postEntry, postSettlement, times } from "../../money.ts";
import { paidOrder } from "../../refunds/refunds.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../../storefront/shop.ts";

const [DAY, OCTOBER] = ["2026-10-15", "2026-10-31"];
type Shop = Awaited<ReturnType<typeof inOctober>>;

/** A shop in the middle of October, with a customer; `later` moves it to November, `undo` calls a path for a day. */
async function inOctober() {
  const shop = await openShop();
  const { company } = shop;
  await setClock(company, `${DAY}T06:00:00Z`);
  const { id: customerId } = await newCustomer(company);
  const later = () => setClock(company, "2026-11-10T06:00:00Z");
  const undo = (path: string, day?: string, headers = {}) =>
    company.call("POST", `${path}${day ? `?reversal_date=${day}` : ""}`, { body: {}, headers });
  return { ...shop, customerId, later, undo };
}

/** An invoice of 354.00 that was paid, and what is asked to credit it. */
async function credited({ company, customerId }: Shop) {
  const { id } = await newInvoice(company, customerId);
  await newPayment(company, { invoice_id: id, amount: 354, payment_date: DAY });
  return newNote(company, id);
}

const LEDGER = "/ledger/:company";
/** What staff record by mistake, and where it is taken back. */
const MISTAKES: Record<string, (shop: Shop) => Promise<string>> = {
  "an invoice with its payment": async ({ company, customerId }) => {
    const { id } = await newInvoice(company, customerId);
    await newPayment(company, { invoice_id: id, amount: 54, payment_date: DAY });
    return `/invoices/:company/${id}/void`;
  },
  "a payment": async ({ company, customerId }) => {
    const { id: invoice_id } = await newInvoice(company, customerId);
    const payment = await newPayment(company, { invoice_id, amount: 54, payment_date: DAY });
    return `/payments/:company/${payment.id}/refund`;
  },
  "a credit note": async (shop) => `/credit-notes/:company/${(await credited(shop)).id}/void`,
  "a payout of credit": async (shop) => {
    const { id } = await credited(shop);
    const paid = must(await payOut(shop.company, id, { amount: 354, payout_date: DAY }), 201).body.data;
    return `/credit-notes/:company/${id}/payouts/${paid.id}/reverse`;
  },
  "a payout of a gateway": async (shop) => {
    const { captureId } = await paidOrder(shop, "paid");
    const of = { settled_on: DAY, payout_reference: captureId, captures: [captureId] };
    const made = must(await postSettlement(shop.company, { ...of, net_amount: 98, fee_amount: 2 }), 201);
    return `${LEDGER}/settlements/${made.body.data.source_id}/reverse`;
  },
  "money settled by hand": async ({ company }) => {
    const id = await leaveCapture(company);
    must(await settle(company, id, { outside_reference: "UTR 1", payment_mode_id: 2 }), 200);
    return `${LEDGER}/captures/${id}/reopen`;
  },
  "an entry by hand": async ({ company }) => {
    const made = must(await postEntry(company, ["1020", "3000"], 500, DAY), 201).body.data;
    return `${LEDGER}/journal-entries/${made.id}/reverse`;
  },
};

test.each(Object.entries(MISTAKES))(
  "%s of October is taken back once: today, or on its own day while that is open",
  async (_mistake, make) => {
    const shop = await inOctober();
    const { company, undo } = shop;
    const [one, other] = [await make(shop), await make(shop)];
    await shop.later();
    const held = await balancesOf(company, OCTOBER);
    const answers = await times(2, () => undo(one));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await balancesOf(company, OCTOBER)).toEqual(held);
    const withoutOne = await balancesOf(company);
    expect(withoutOne).not.toEqual(held);
    for (const [day, code] of [
      ["2026-10-14", "too_small"],
      ["2020-10-15", "too_small"],
      ["2026-11-11", "too_big"],
      ["15.10.2026", "invalid_date"],
    ])
      expectRefused(await undo(other, day), { reversal_date: code });
    const close = (body: object) => company.change("/settings/:company/books", body);
    await close({ locked_through: OCTOBER });
    expect(await undo(other, OCTOBER)).toMatchObject({ body: { code: "period_locked" } });
    await close({ locked_through: null, gst_filed_through: "2026-10" });
    expect(await undo(other, OCTOBER)).toMatchObject({ body: { code: "return_filed" } });
    await close({ gst_filed_through: null });
    expect((await undo(other, DAY)).status).toBeLessThan(300);
    expect(await balancesOf(company, OCTOBER)).toEqual(withoutOne);
    await expectSound(company);
  },
);

test("a receipt of 1,000 that is taken back on its day and recorded again as 100 leaves 100 in October's bank", async () => {
  const { company, customerId, later, undo } = await inOctober();
  const items = [{ item_name: "Visit", quantity: 1, unit: "nos", unit_price: 2_000, tax_rate: 0 }];
  const invoice = await newInvoice(company, customerId, { items });
  const of = { invoice_id: invoice.id, payment_date: DAY };
  const wrong = await newPayment(company, { ...of, amount: 1_000 });
  await later();
  const path = `/payments/:company/${wrong.id}/refund`;
  must(await undo(path, `${DAY}&dry_run=true`), 200);
  const mistyped = await company.call("POST", `${path}?reversal_dat=${DAY}`);
  expect(mistyped).toMatchObject(refusal(422, "unknown_parameter"));
  must(await undo(path, DAY, { "Idempotency-Key": "back" }), 200);
  const again = await undo(path, "2026-10-16", { "Idempotency-Key": "back" });
  expect(again).toMatchObject(refusal(422, "idempotency_key_reused"));
  await newPayment(company, { ...of, amount: 100 });
  expect((await balancesOf(company, OCTOBER)).Bank).toBe(100);
  await expectSound(company);
});

test("money of a gateway whose payment or invoice is taken back on its day waits from that day on", async () => {
  const { company, connected, later, undo } = await inOctober();
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company))), 200);
  await later();
  const [row] = await company.rows("SELECT max(id) AS id FROM invoices");
  must(await undo(`/invoices/:company/${row?.id}/void`, "2026-10-20"), 200);
  const held = { "Razorpay Clearing": 100, "Customer Advances": -100 };
  expect(await balancesOf(company, OCTOBER)).toEqual(held);
  expect(await balancesOf(company, "2026-10-19")).toEqual({ "Razorpay Clearing": 100, Sales: -100 });
  await expectSound(company);
});
