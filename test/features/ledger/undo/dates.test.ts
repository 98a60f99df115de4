import { expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, newInvoice, REGISTERED, setClock } from "../../commerce.ts";
import { newNote } from "../../credit-notes/notes.ts";
import { newPayment } from "../../money.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../../storefront/shop.ts";
import { heldOn } from "./undo.ts";

const OCTOBER = "2026-10-31";

/** A company in the middle of October, with a customer; `later` moves it to November. */
async function inOctober() {
  const company = await openCompany(REGISTERED);
  await setClock(company, "2026-10-15T06:00:00Z");
  const { id: customerId } = await newCustomer(company);
  const later = () => setClock(company, "2026-11-10T06:00:00Z");
  const act = (path: string, query = "", headers = {}) =>
    company.call("POST", `${path}${query && `?reversal_date=${query}`}`, { headers });
  return { company, customerId, later, act };
}

test("an invoice of October that is voided in November on its own day leaves nothing in October; by default it does", async () => {
  const { company, customerId, later, act } = await inOctober();
  const [kept, gone] = [await newInvoice(company, customerId), await newInvoice(company, customerId)];
  await newPayment(company, { invoice_id: gone.id, amount: 54, payment_date: "2026-10-15" });
  await later();
  const before = await heldOn(company, OCTOBER);
  must(await act(`/invoices/:company/${kept.id}/void`), 200);
  expect(await heldOn(company, OCTOBER)).toEqual(before);
  must(await act(`/invoices/:company/${gone.id}/void`, "2026-10-15"), 200);
  expect(await heldOn(company, OCTOBER)).toMatchObject({ Sales: -299.97, "Output CGST": -27 });
  expect(await heldOn(company, OCTOBER)).not.toHaveProperty("Bank");
  expect(await heldOn(company, "2026-11-10")).toEqual({});
  await expectSound(company);
});

test("a receipt of 1,000 that is taken back on its day and recorded again as 100 leaves 100 in October's bank", async () => {
  const { company, customerId, later, act } = await inOctober();
  const items = [{ item_name: "Visit", quantity: 1, unit: "nos", unit_price: 2_000, tax_rate: 0 }];
  const invoice = await newInvoice(company, customerId, { items });
  const of = { invoice_id: invoice.id, payment_date: "2026-10-15" };
  const wrong = await newPayment(company, { ...of, amount: 1_000 });
  await later();
  const path = `/payments/:company/${wrong.id}/refund`;
  expectRefused(await act(path, "2026-11-11"), { reversal_date: "too_big" });
  expectRefused(await act(path, "2026-10-14"), { reversal_date: "too_small" });
  expectRefused(await act(path, "2020-10-15"), { reversal_date: "too_small" });
  expectRefused(await act(path, "15.10.2026"), { reversal_date: "invalid_date" });
  must(await act(path, "2026-10-15&dry_run=true"), 200);
  must(await act(path, "2026-10-15", { "Idempotency-Key": "back" }), 200);
  const again = await act(path, "2026-10-16", { "Idempotency-Key": "back" });
  expect(again).toMatchObject(refusal(422, "idempotency_key_reused"));
  await newPayment(company, { ...of, amount: 100 });
  expect((await heldOn(company, OCTOBER)).Bank).toBe(100);
  await expectSound(company);
});

test("a day that is locked or filed takes no reversal; without a day it is of today", async () => {
  const { company, customerId, later, act } = await inOctober();
  const invoice = await newInvoice(company, customerId);
  const { id } = await newPayment(company, {
    invoice_id: invoice.id,
    amount: 54,
    payment_date: "2026-10-15",
  });
  await later();
  const close = (body: object) => company.change("/settings/:company/books", body);
  const path = `/payments/:company/${id}/refund`;
  await close({ locked_through: "2026-10-31" });
  const locked = await act(path, "2026-10-20");
  expect(locked).toMatchObject(refusal(422, "period_locked"));
  expect(await act(`/invoices/:company/${invoice.id}/void`, "2026-11-02")).toMatchObject(
    refusal(409, "period_locked"),
  );
  await close({ locked_through: null, gst_filed_through: "2026-10" });
  expect(await act(path, "2026-10-31")).toMatchObject(refusal(422, "return_filed"));
  expect((await act(path, "2026-11-01")).status).toBe(200);
  await expectSound(company);
});

test("money of a gateway whose payment or invoice is taken back on its day waits from that day on", async () => {
  const { company, connected } = await openShop();
  await setClock(company, "2026-10-15T06:00:00Z");
  const placed = await placeOrder(company);
  must(await deliver(company, connected, razorpayEvent(placed)), 200);
  await setClock(company, "2026-11-10T06:00:00Z");
  const [row] = await company.rows("SELECT max(id) AS id FROM invoices");
  must(await company.call("POST", `/invoices/:company/${row?.id}/void?reversal_date=2026-10-20`), 200);
  expect(await heldOn(company, OCTOBER)).toEqual({ "Razorpay Clearing": 100, "Customer Advances": -100 });
  expect(await heldOn(company, "2026-10-19")).toEqual({ "Razorpay Clearing": 100, Sales: -100 });
  await expectSound(company);
});

test("a credit note is voided on its day; a call without a day is as before", async () => {
  const { company, customerId, later, act } = await inOctober();
  const invoice = await newInvoice(company, customerId);
  const [line] = invoice.items;
  const notes = [];
  for (const amount of [100, 50]) {
    const items = [{ invoice_item_id: line?.id, taxable_amount: amount }];
    notes.push(await newNote(company, invoice.id, { items, reason: "deficiency" }));
  }
  await later();
  const [first, second] = notes.map(({ id }) => `/credit-notes/:company/${id}/void`);
  expectRefused(await act(String(first), "2026-10-14"), { reversal_date: "too_small" });
  must(await act(String(first), "2026-10-15"), 200);
  expect((await heldOn(company, OCTOBER)).Sales).toBe(-249.97);
  must(await act(String(second)), 200);
  expect((await heldOn(company, OCTOBER)).Sales).toBe(-249.97);
  expect((await heldOn(company, "2026-11-10")).Sales).toBe(-299.97);
  await expectSound(company);
});
