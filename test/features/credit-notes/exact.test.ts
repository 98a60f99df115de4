import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import {
  getInvoice,
  line,
  newCustomer,
  newInvoice,
  openTrader,
  REGISTERED,
  refusedFields,
} from "../commerce.ts";
import { visit } from "../invoices/page/hosted.ts";
import { tally, times } from "../money.ts";
import { refusal } from "../refusal.ts";
import { byAmount, byQuantity, newNote, postNote, voidNote } from "./notes.ts";

const { company, customerId } = await openTrader("2026-06-15T06:00:00Z");

/** 100.51 and 18.10 tax, rounded up by 0.39 to 119.00. */
const rounded = { ...line, quantity: 1, unit_price: 100.51 };
const issued = (items: object[] = [rounded], fields: object = {}) =>
  newInvoice(company, customerId, { items, ...fields });
const over = (gross_amount: number, fields: object = {}) => ({
  ...{ gross_amount, reason: "post_sale_discount" },
  ...fields,
});
const commercial = { with_tax: false };

describe("a commercial note", () => {
  test("has numbers of its own, a title of its own, and neither a rate nor the words of section 34", async () => {
    const invoice = await issued([{ ...line, quantity: 3 }]);
    const id = invoice.items[0]?.id;
    const taxed = await newNote(company, invoice.id, byQuantity(id, 1));
    const [note, next] = [
      await newNote(company, invoice.id, byAmount(id, 50, commercial)),
      await newNote(company, invoice.id, byAmount(id, 50, commercial)),
    ];
    const after = await newNote(company, invoice.id, byAmount(id, 1));
    const place = (number: string) => Number(number.split("/").pop());
    expect(note.credit_note_number).toMatch(/^CCRN\/26-27\/\d{5}$/);
    expect(place(next.credit_note_number)).toBe(place(note.credit_note_number) + 1);
    expect(after.credit_note_number).toMatch(/^CN\/26-27\/\d{5}$/);
    expect(place(after.credit_note_number)).toBe(place(taxed.credit_note_number) + 1);
    const { pathname } = new URL(String(note.hosted_url));
    const { text } = must(await visit(pathname), 200);
    expect(text).toContain("<h1>Commercial credit note</h1>");
    expect(text).toContain("It is no credit note under section 34 of the CGST Act");
    for (const absent of ["18%", "Tax rate", "Taxable value", "CGST<", "SGST", "<h1>Credit note"])
      expect(text).not.toContain(absent);
    const hindi = must(await visit(`${pathname}?lang=hi`), 200).text;
    expect(hindi).toContain("<h1>वाणिज्यिक जमा पत्र (Commercial credit note)</h1>");
    expect(hindi).toContain("धारा 34");
    const [series] = await company.rows("SELECT series FROM number_prefixes WHERE prefix = 'CCRN'");
    expect(series).toEqual({ series: "commercial_credit_note" });
  });

  test("of before the series keeps its number", async () => {
    const other = await openCompany(REGISTERED);
    const invoice = await newInvoice(other, (await newCustomer(other)).id);
    const id = invoice.items[0]?.id;
    await newNote(other, invoice.id, byAmount(id, 50, commercial));
    await other.rows("DROP TRIGGER issued_credit_note_is_final");
    await other.rows(
      "UPDATE credit_notes SET credit_note_number = replace(credit_note_number, 'CCRN', 'CN')",
    );
    await other.rows("UPDATE number_series SET series = 'credit_note' WHERE series LIKE 'commercial%'");
    const [note, taxed] = [
      await newNote(other, invoice.id, byAmount(id, 50, commercial)),
      await newNote(other, invoice.id, byAmount(id, 50)),
    ];
    expect(note.credit_note_number).toMatch(/^CCRN\/.*\/00001$/);
    expect(taxed.credit_note_number).toMatch(/^CN\/.*\/00002$/);
    await expectSound(other);
  });
});

describe("an exact gross amount", () => {
  test("with its tax is exactly what was asked, of the whole invoice or of a named line", async () => {
    const invoice = await issued([rounded, { ...line, tax_rate: 5 }]);
    const first = await newNote(company, invoice.id, over(100));
    expect(first.items.map(({ invoice_item_id: id }) => id)).toEqual(invoice.items.map(({ id }) => id));
    const second = await newNote(company, invoice.id, over(33.33, { invoice_item_id: invoice.items[1]?.id }));
    expect(second.items).toMatchObject([
      { invoice_item_id: invoice.items[1]?.id, quantity: null, tax_rate: 5 },
    ]);
    for (const [note, amount] of [
      [first, 100],
      [second, 33.33],
    ] as const) {
      expect(note.total_amount).toBe(amount);
      expect(note.taxable_total + note.tax_total + note.round_off).toBeCloseTo(amount, 5);
      expect(note.cgst_total).toBe(note.sgst_total);
      expect(note.tax_total).toBeGreaterThan(0);
      expect(Math.abs(note.round_off)).toBeLessThan(0.3);
    }
    const { amount_due: due } = await getInvoice(company, invoice.id);
    expect(await postNote(company, invoice.id, over(due + 0.01))).toMatchObject(
      refusal(422, "credit_exceeds_invoice"),
    );
    expect(await newNote(company, invoice.id, over(due))).toMatchObject({ total_amount: due });
    expect(await getInvoice(company, invoice.id)).toMatchObject({ amount_due: 0, credit_status: "full" });
  });

  test("is never above what is left of the named line, nor of the invoice as two calls at once find it", async () => {
    const invoice = await issued([rounded, line]);
    const named = { invoice_item_id: invoice.items[0]?.id };
    for (const fields of [named, { ...named, ...commercial }])
      expect(await postNote(company, invoice.id, over(200, fields))).toMatchObject(
        refusal(422, "credit_exceeds_invoice"),
      );
    const answers = await times(6, () => postNote(company, invoice.id, over(100)));
    const { 201: made = 0, 422: refused = 0 } = tally(answers);
    expect([made <= 4, made + refused]).toEqual([true, 6]);
    const { amount_due: due } = await getInvoice(company, invoice.id);
    expect(due).toBeCloseTo(invoice.total_amount - made * 100, 5);
    await newNote(company, invoice.id, over(due));
    expect(await postNote(company, invoice.id, over(0.01))).toMatchObject(
      refusal(422, "credit_exceeds_invoice"),
    );
  });

  test("is of value whose quantity was credited, as is a note over all that is left", async () => {
    for (const body of [undefined, over(59)]) {
      const invoice = await issued([{ ...line, unit_price: 100 }]);
      const id = invoice.items[0]?.id;
      const voided = await newNote(company, invoice.id, byAmount(id, 50));
      await newNote(company, invoice.id, byQuantity(id, 3));
      must(await voidNote(company, voided.id), 200);
      expect(await newNote(company, invoice.id, body)).toMatchObject({ taxable_total: 50, total_amount: 59 });
      expect(await getInvoice(company, invoice.id)).toMatchObject({ amount_due: 0, credit_status: "full" });
    }
  });

  test("goes with no items and no goods, and names one line of the invoice", async () => {
    const invoice = await issued();
    const id = invoice.items[0]?.id;
    const items = [{ invoice_item_id: id, quantity: 1 }];
    const refused = async (body: Record<string, unknown>) =>
      refusedFields(await postNote(company, invoice.id, { reason: "correction", ...body }));
    expect(await refused({ gross_amount: 1, items })).toEqual({ gross_amount: "not_accepted" });
    expect(await refused({ gross_amount: 1, restock: true })).toEqual({ gross_amount: "not_accepted" });
    expect(await refused({ invoice_item_id: id })).toEqual({ invoice_item_id: "not_accepted" });
    const foreign = (await issued()).items[0]?.id;
    expect(await refused({ gross_amount: 1, invoice_item_id: foreign })).toEqual({
      invoice_item_id: "not_found",
    });
  });
});
