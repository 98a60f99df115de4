import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { getInvoice, line, newCustomer, newInvoice, openTrader, refusedFields } from "../commerce.ts";
import { entryLines, voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";
import { byAmount, byQuantity, getNote, newNote, postNote, voidNote } from "./notes.ts";

const { company, customerId } = await openTrader("2026-06-15T06:00:00Z");

const issued = (items: object[] = [line], fields: object = {}) =>
  newInvoice(company, customerId, { items, ...fields });

describe("value and tax", () => {
  test("three notes of one piece add up to the invoice to the paisa, round-off too", async () => {
    const invoice = await issued();
    const id = invoice.items[0]?.id;
    const first = await newNote(company, invoice.id, byQuantity(id, 1));
    expect(first).toMatchObject({
      credit_note_number: "CN/26-27/00001",
      status: "issued",
      reason: "sales_return",
      invoice_number: invoice.invoice_number,
      customer: invoice.customer,
      seller: invoice.seller,
      taxable_total: 99.99,
      cgst_total: 9,
      sgst_total: 9,
      igst_total: 0,
      tax_total: 18,
      tax_breakup: [{ tax_rate: 18, unit: "NOS", quantity: 1, taxable_value: 99.99, cgst_amount: 9 }],
      round_off: 0.01,
      total_amount: 118,
      applied_amount: 118,
      unapplied_amount: 0,
    });
    expect(first).not.toHaveProperty("warnings");
    expect(first.items).toMatchObject([
      { invoice_item_id: id, quantity: 1, taxable_value: 99.99, tax_rate: 18, tax_amount: 18, total: 117.99 },
    ]);
    expect(await entryLines(company, first.journal_entry_id)).toEqual([
      "Sales Dr 99.99 Cr 0",
      "Output CGST Dr 9 Cr 0",
      "Output SGST Dr 9 Cr 0",
      "Round Off Dr 0.01 Cr 0",
      "Sundry Debtors / Meera Traders Dr 0 Cr 118",
    ]);
    expect(await getInvoice(company, invoice.id)).toMatchObject({
      payment_status: "unpaid",
      credit_status: "partial",
      amount_credited: 118,
      amount_due: 236,
      credit_note_ids: [first.id],
    });
    await newNote(company, invoice.id, byQuantity(id, 1));
    const last = await newNote(company, invoice.id);
    expect(last).toMatchObject({ reason: "cancellation", total_amount: 118 });
    expect(await getInvoice(company, invoice.id)).toMatchObject({
      payment_status: "paid",
      credit_status: "full",
      amount_credited: 354,
      amount_due: 0,
    });
    expect(await getNote(company, first.id)).toEqual(first);
  });

  test("amounts above what 64 bits multiply are exact", async () => {
    const invoice = await issued([{ ...line, quantity: 1_000_000, unit_price: 7000.01 }]);
    const note = await newNote(company, invoice.id, byQuantity(invoice.items[0]?.id, 333_333.333));
    expect(note).toMatchObject({ taxable_total: 2333336664.33, cgst_total: 210000299.79 });
  });

  test("after 30 November of the next financial year a note bears no tax, unless asked to", async () => {
    const invoice = await issued([line], { invoice_date: "2025-03-31" });
    const barred = { note_date: "2026-04-01" };
    const id = invoice.items[0]?.id;
    const late = await newNote(company, invoice.id, byQuantity(id, 1, barred));
    expect(late).toMatchObject({ with_tax: false, tax_total: 0 });
    expect(late.warnings).toEqual(["tax_time_barred"]);
    const asked = await newNote(company, invoice.id, byQuantity(id, 1, { ...barred, with_tax: true }));
    expect(asked.warnings).toEqual(["tax_time_barred"]);
    const setBack = await newNote(company, invoice.id, byQuantity(id, 0.5, { note_date: "2025-11-30" }));
    expect(setBack).toMatchObject({
      with_tax: true,
      financial_year: "2025-26",
      warnings: ["tax_time_barred"],
    });
  });

  test("of an invoice without tax there is none to take back, however late", async () => {
    const untaxed = await issued([{ ...line, tax_rate: 0 }], { invoice_date: "2025-03-31" });
    expect(await newNote(company, untaxed.id)).not.toHaveProperty("warnings");
  });

  test("of a registered buyer a taxed note warns that it must reverse its credit", async () => {
    const buyer = await newCustomer(company, { gstin: "29AAGCB7383J1Z4", gst_category: "regular" });
    const invoice = await newInvoice(company, buyer.id);
    expect((await newNote(company, invoice.id)).warnings).toEqual(["buyer_must_reverse_credit"]);
  });
});

describe("refusals", () => {
  test("a body names each line once, with a quantity or an amount, and says why", async () => {
    const invoice = await issued();
    const id = invoice.items[0]?.id;
    const refused = async (body: Record<string, unknown>) =>
      refusedFields(await postNote(company, invoice.id, body));
    const items = [{ invoice_item_id: id, quantity: 1 }];
    for (const body of [{ items }, { restock: true }, {}])
      expect(await refused(body)).toEqual({ reason: "required" });
    expect(await refused({ items, reason: "other" })).toEqual({ reason_text: "required" });
    expect(await refused({ items: [{ invoice_item_id: id }], reason: "correction" })).toEqual({
      "items[0].quantity": "exactly_one",
    });
    expect(await refused({ items: [...items, ...items], reason: "correction" })).toEqual({
      "items[1].invoice_item_id": "duplicate",
    });
    const other = await issued();
    expect(await refused(byQuantity(other.items[0]?.id, 1))).toEqual({
      "items[0].invoice_item_id": "not_found",
    });
    expect(await refused(byQuantity(id, 1, { note_date: "2026-06-16" }))).toEqual({ note_date: "too_big" });
    expect(await refused(byQuantity(id, 1, { note_date: "2026-06-14" }))).toEqual({ note_date: "too_small" });
  });

  test("no more is credited than is left", async () => {
    const invoice = await issued();
    const id = invoice.items[0]?.id;
    await newNote(company, invoice.id, byQuantity(id, 2));
    for (const body of [byQuantity(id, 1.001), byAmount(id, 100)]) {
      expect(await postNote(company, invoice.id, body)).toMatchObject(
        refusal(422, "credit_exceeds_invoice", {
          invoice_item_id: id,
          quantity_left: 1,
          taxable_left: 99.99,
        }),
      );
    }
    await newNote(company, invoice.id);
    expect(await postNote(company, invoice.id)).toMatchObject(refusal(422, "credit_exceeds_invoice"));
  });

  test("a voided invoice takes no note, an invoice with one is not voided, and one whose note is voided is", async () => {
    const invoice = await issued();
    const note = await newNote(company, invoice.id);
    expect(await voidInvoice(company, invoice.id)).toMatchObject(
      refusal(409, "has_credit_notes", { credit_note_ids: [note.id] }),
    );
    must(await voidNote(company, note.id), 200);
    expect(await voidNote(company, note.id)).toMatchObject(refusal(409, "credit_note_voided"));
    expect(await getInvoice(company, invoice.id)).toMatchObject({
      amount_due: 354,
      amount_credited: 0,
      credit_status: "none",
      credit_note_ids: [],
    });
    must(await voidInvoice(company, invoice.id), 200);
    expect(await postNote(company, invoice.id)).toMatchObject(refusal(409, "invoice_voided"));
  });

  test("a note of a locked or filed date is neither made nor voided", async () => {
    const set = (body: object) => company.call("PATCH", "/settings/:company/books", { body });
    const invoice = await issued([line], { invoice_date: "2026-05-01" });
    const id = invoice.items[0]?.id;
    const plain = await issued([line], { invoice_date: "2026-05-01" });
    const note = await newNote(company, invoice.id, byQuantity(id, 1, { note_date: "2026-05-31" }));
    for (const [closed, code] of [
      [{ locked_through: "2026-05-31" }, "period_locked"],
      [{ gst_filed_through: "2026-05" }, "return_filed"],
    ] as const) {
      must(await set(closed), 200);
      const late = await postNote(company, invoice.id, byQuantity(id, 1, { note_date: "2026-05-31" }));
      expect(late).toMatchObject({ status: 422, body: { code } });
      expect(refusedFields(late)).toEqual({ note_date: code });
      expect(await voidNote(company, note.id)).toMatchObject({ status: 409, body: { code } });
      const message = expect.stringContaining("issue a credit note instead");
      expect(await voidInvoice(company, plain.id)).toMatchObject({ status: 409, body: { code, message } });
      must(await set({ locked_through: null, gst_filed_through: null }), 200);
    }
    must(await voidNote(company, note.id), 200);
  });
});
