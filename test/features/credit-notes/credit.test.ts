import { expect, test } from "vitest";
import { addDays } from "#shared/time/dates.ts";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getCustomer, getInvoice, line, newCustomer, newInvoice, openTrader } from "../commerce.ts";
import { typesOf as eventTypesOf } from "../events/events.ts";
import { entryLines, newPayment, postPayment, today, voidInvoice } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { applyNote, byQuantity, getNote, newNote, payOut, voidNote } from "./notes.ts";

const { company, customerId } = await openTrader();

const exact = { ...line, quantity: 3, unit_price: 100 };
const issued = (items: object[] = [exact]) => newInvoice(company, customerId, { items });
const typesOf = (id: string) => eventTypesOf(company, `resource=invoice&record_id=${id}`);

test("of a half paid invoice the due falls first, and the rest is credit of the customer", async () => {
  const { id: buyer } = await newCustomer(company);
  const invoice = await newInvoice(company, buyer, { items: [exact] });
  await newPayment(company, { invoice_id: invoice.id, amount: 300 });
  const note = await newNote(company, invoice.id, byQuantity(invoice.items[0]?.id, 1));
  expect(note).toMatchObject({ total_amount: 118, applied_amount: 54, unapplied_amount: 64 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({
    payment_status: "paid",
    credit_status: "partial",
    amount_paid: 300,
    amount_credited: 54,
    amount_due: 0,
  });
  const found = must(await getCustomer(company, buyer), 200).body.data;
  expect(found).toMatchObject({
    outstanding_amount: 0,
    balances: [{ currency: "INR", outstanding_amount: 0, credit_balance: 64, net_balance: -64 }],
  });
  expect(await typesOf(invoice.id)).toEqual(["invoice.created", "invoice.partly_paid", "invoice.credited"]);
});

test("what is due of an invoice rises only by a write that counts it, which applies the invoice's own credit", async () => {
  const invoice = await issued();
  await newPayment(company, { invoice_id: invoice.id, amount: 354 });
  const raise = `UPDATE invoices SET amount_paid = 0, amount_due = 354`;
  const uncounted = company.database().execute({ sql: `${raise} WHERE id = ?`, args: [invoice.id] });
  await expect(uncounted).rejects.toThrow("append_only");
});

test("unused credit is applied to another invoice of the customer, and no more than either has", async () => {
  const invoice = await issued();
  await newPayment(company, { invoice_id: invoice.id, amount: 354 });
  const note = await newNote(company, invoice.id);
  const other = await issued();
  const foreign = await newInvoice(company, (await newCustomer(company)).id);
  expectRefused(await applyNote(company, note.id, foreign.id, 1), { invoice_id: "not_found" });
  must(await applyNote(company, note.id, other.id, 100), 200);
  expect(await getInvoice(company, other.id)).toMatchObject({
    amount_due: 254,
    amount_credited: 100,
    credit_status: "none",
    payment_status: "unpaid",
  });
  expect(await applyNote(company, note.id, other.id, 254.01)).toMatchObject({ status: 422 });
  await newPayment(company, { invoice_id: other.id, amount: 200 });
  expect(await applyNote(company, note.id, other.id, 54.01)).toMatchObject(
    refusal(422, "amount_exceeds_due", { amount_due: 54 }),
  );
  expect(await voidNote(company, note.id)).toMatchObject({ status: 409, body: { code: "credit_in_use" } });
  must(await voidInvoice(company, other.id), 200);
  expect(await getNote(company, note.id)).toMatchObject({ applied_amount: 0, unapplied_amount: 354 });
  must(await voidNote(company, note.id), 200);
});

test("credit is paid back by hand, out of the account of the mode, once", async () => {
  const invoice = await issued();
  await newPayment(company, { invoice_id: invoice.id, amount: 354 });
  const note = await newNote(company, invoice.id);
  const { body } = must(await payOut(company, note.id, { amount: 300, payout_date: today() }), 201);
  expect(body.data).toMatchObject({ credit_note_id: note.id, amount: 300, payment_mode_id: 2 });
  expect(await entryLines(company, String(body.data.journal_entry_id))).toEqual([
    "Sundry Debtors / Meera Traders Dr 300 Cr 0",
    "Bank Dr 0 Cr 300",
  ]);
  expect(await payOut(company, note.id, { amount: 54.01, payout_date: today() })).toMatchObject(
    refusal(422, "credit_exhausted", { unapplied_amount: 54 }),
  );
  expect(await voidNote(company, note.id)).toMatchObject({ status: 409, body: { code: "credit_in_use" } });
  for (const [payout_date, code] of [
    [addDays(today(), 1), "too_big"],
    [addDays(today(), -1), "too_small"],
  ] as const)
    expectRefused(await payOut(company, note.id, { amount: 1, payout_date }), { payout_date: code });
  await expect(
    company.rows(
      "INSERT INTO credit_payouts SELECT NULL, 'x', credit_note_id, 1, '2001-01-01', payment_mode_id, NULL, 0, NULL FROM credit_payouts",
    ),
  ).rejects.toThrow("payout_before_note");
  expect(await company.read(`/credit-notes/:company/${note.id}/payouts`)).toEqual([body.data]);
  expect(await getNote(company, note.id)).toMatchObject({ refunded_amount: 300, unapplied_amount: 54 });
  const mode = await payOut(company, note.id, { amount: 1, payout_date: today(), payment_mode_id: 999 });
  expect(mode).toMatchObject({ status: 422, body: { code: "payment_mode_inactive" } });
});

test("a due that credit ended is no payment; money after credit is", async () => {
  const credited = await issued();
  await newNote(company, credited.id);
  expect(await typesOf(credited.id)).toEqual(["invoice.created", "invoice.credited"]);
  const paid = await issued();
  await newNote(company, paid.id, byQuantity(paid.items[0]?.id, 1));
  expect(await postPayment(company, { invoice_id: paid.id, amount: 236.01 })).toMatchObject(
    refusal(422, "amount_exceeds_due", { amount_due: 236 }),
  );
  await newPayment(company, { invoice_id: paid.id, amount: 236 });
  expect(await typesOf(paid.id)).toEqual(["invoice.created", "invoice.credited", "invoice.paid"]);
});

test("notes are listed by what they are filtered by", async () => {
  const { id: buyer } = await newCustomer(company);
  const invoice = await newInvoice(company, buyer, { items: [exact] });
  const item = invoice.items[0]?.id;
  const used = await newNote(company, invoice.id, byQuantity(item, 1));
  await newPayment(company, { invoice_id: invoice.id, amount: 236 });
  const open = await newNote(company, invoice.id, byQuantity(item, 1));
  const list = async (query: string) =>
    (await company.read<{ id: string }[]>(`/credit-notes/:company?${query}`)).map(({ id }) => id);
  expect(await list(`customer_id=${buyer}`)).toEqual([open.id, used.id]);
  expect(await list(`invoice_id=${invoice.id}&has_credit=true`)).toEqual([open.id]);
  expect(await list(`invoice_id=${invoice.id}&has_credit=false`)).toEqual([used.id]);
  expect(await list(`customer_id=${buyer}&from=${today()}&to=${today()}`)).toEqual([open.id, used.id]);
  expect(await list(`customer_id=${buyer}&from=2999-01-01`)).toEqual([]);
  const below = await company.read(`/invoices/:company/${invoice.id}/credit-notes`);
  expect(below).toMatchObject([{ id: open.id }, { id: used.id }]);
});

test("a note of an invoice without an entry waits with it", async () => {
  const early = await newInvoice(company, customerId, { items: [exact], invoice_date: "2001-01-01" });
  const note = await newNote(company, early.id, byQuantity(early.items[0]?.id, 1, { with_tax: true }));
  expect(note).toMatchObject({
    journal_entry_id: null,
    warnings: ["invoice_unposted", "tax_time_barred"],
  });
  expect((await company.read<object[]>("/ledger/:company/unposted")).slice(0, 2)).toMatchObject([
    { source_type: "credit_note", source_id: note.id, reason: "invoice_unposted" },
    { source_type: "invoice", source_id: early.id, reason: "no_financial_year" },
  ]);
  must(await voidNote(company, note.id), 200);
});

test("of a shop's invoice the shipping is taken back from its own account, and what was paid is credit", async () => {
  const { company, connected } = await openShop();
  const placed = await placeOrder(company, { shipping_amount: 50 });
  must(await deliver(company, connected, razorpayEvent(placed)), 200);
  const [order] = await company.rows("SELECT invoice_id FROM sales_orders");
  const invoice = await getInvoice(company, String(order?.invoice_id));
  const note = await newNote(company, invoice.id);
  expect(note).toMatchObject({ total_amount: invoice.total_amount, unapplied_amount: invoice.total_amount });
  const invoiced = (await entryLines(company, invoice.journal_entry_id)).toSorted();
  expect(invoiced.some((line) => line.startsWith("Shipping Income"))).toBe(true);
  const reversed = invoiced.map((line) => line.replace(/ Dr (\S+) Cr (\S+)$/, " Dr $2 Cr $1"));
  expect((await entryLines(company, note.journal_entry_id)).toSorted()).toEqual(reversed.toSorted());
  expect(await getInvoice(company, invoice.id)).toMatchObject({
    payment_status: "paid",
    credit_status: "full",
    amount_credited: 0,
  });
  must(await payOut(company, note.id, { amount: note.total_amount, payout_date: today() }), 201);
  await expectSound(company);
});
