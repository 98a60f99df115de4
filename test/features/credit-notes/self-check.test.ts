import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { check, SCHEMA, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { line, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { newPayment, newProduct, today } from "../money.ts";
import { applyNote, byQuantity, newNote, payOut, voidNote } from "./notes.ts";

const OF_NOTE = "a credit note has lines of its invoice, and their totals";
const OF_LINE = "what is credited of a line is the sum of its notes, and never above the line";
/** Columns that are moved by 1 by hand, and the sentence that names them. */
const MOVED: [table: string, where: string, columns: string[], sentence: string][] = [
  ["credit_notes", "id = 1", ["taxable_total", "total_amount"], OF_NOTE],
  [
    "credit_notes",
    "id = 1",
    ["round_off", "total_amount"],
    "the entry of a credit note says what the credit note says",
  ],
  ["credit_note_items", "id = 1", ["cgst_amount"], OF_LINE],
  ["credited_lines", "invoice_item_id = 1", ["credited_quantity"], OF_LINE],
  ["credited_lines", "invoice_item_id = 1", ["quantity"], OF_LINE],
  [
    "invoices",
    "id = 1",
    ["taxable_credited"],
    "what is credited of an invoice is the sum of its notes, and of what was applied to it",
  ],
  [
    "credit_applications",
    "id = 1",
    ["amount"],
    "what is used of a credit note is what was applied, paid out and refunded of it, and no more than it has",
  ],
  [
    "credit_payouts",
    "id = 1",
    ["amount"],
    "the entry of a payout has its customer's account and one of money",
  ],
  [
    "stock_movements",
    "reference_type = 'credit_note' AND reference_id = 3 AND type = 'void_restore'",
    ["quantity"],
    "of a voided credit note nothing is back in stock",
  ],
  [
    "stock_movements",
    "reference_type = 'credit_note' AND reference_id = 4",
    ["quantity"],
    "credit notes return no more than their invoice took",
  ],
];
/** A value that is set by hand, how it was, and the sentence that names it. */
const SET: [change: string, undo: string, sentence: string][] = [
  [
    "UPDATE credit_notes SET note_date = date(note_date, '-1 year') WHERE id = 1",
    "UPDATE credit_notes SET note_date = date(note_date, '+1 year') WHERE id = 1",
    "a credit note's number and financial year are those of its date, which is not before its invoice's",
  ],
  [
    "UPDATE credit_notes SET credit_note_number = replace(credit_note_number, '/00002', '/00009') WHERE id = 2",
    "UPDATE credit_notes SET credit_note_number = replace(credit_note_number, '/00009', '/00002') WHERE id = 2",
    "credit note numbers run from 1 without gap in every financial year, and their counter is at the last",
  ],
  [
    "UPDATE credit_notes SET invoice_id = 3 WHERE id = 1",
    "UPDATE credit_notes SET invoice_id = 1 WHERE id = 1",
    "a credit note has lines of its invoice, and their totals",
  ],
  [
    "UPDATE credit_notes SET customer_id = 2 WHERE id = 2",
    "UPDATE credit_notes SET customer_id = 1 WHERE id = 2",
    "credit is applied to invoices of the note's customer and currency",
  ],
  [
    "UPDATE credit_notes SET status = 'issued', voided_at = NULL WHERE id = 3",
    "UPDATE credit_notes SET status = 'voided', voided_at = 1 WHERE id = 3",
    "only what is live has an entry that stands",
  ],
  [
    "UPDATE journal_entries SET status = 'voided' WHERE source_type = 'invoice' AND source_id = 1",
    "UPDATE journal_entries SET status = 'posted' WHERE source_type = 'invoice' AND source_id = 1",
    "a credit note is posted only where its invoice is",
  ],
];

test("what a person changes by hand of credit notes is named", async () => {
  const company = await openCompany(REGISTERED);
  const customer = await newCustomer(company);
  await newCustomer(company, { name: "Anil & Sons" });
  const product = await newProduct(company, { track_stock: true, opening_stock: 50 });
  const sold = { ...line, product_id: product.id };
  const first = await newInvoice(company, customer.id, { items: [sold] });
  const item = first.items[0]?.id;
  await newNote(company, first.id, byQuantity(item, 1));
  const second = await newInvoice(company, customer.id, { items: [sold] });
  await newPayment(company, { invoice_id: second.id, amount: 354 });
  const note = await newNote(company, second.id);
  const third = await newInvoice(company, customer.id, { items: [sold] });
  must(await applyNote(company, note.id, third.id, 100), 200);
  must(await payOut(company, note.id, { amount: 50, payout_date: today() }), 201);
  const back = await newNote(company, third.id, byQuantity(third.items[0]?.id, 3, { restock: true }));
  must(await voidNote(company, back.id), 200);
  await newNote(company, third.id, byQuantity(third.items[0]?.id, 3, { restock: true }));
  expect(await check(company)).toMatchObject({ sound: true });
  const changes = [
    ...MOVED.map(([table, where, columns, sentence]): [string, string, string] => [
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} + 1`).join(", ")} WHERE ${where}`,
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - 1`).join(", ")} WHERE ${where}`,
      sentence,
    ]),
    ...SET,
  ];
  for (const [change, undo, sentence] of changes) {
    await tamper(company, [change]);
    const named = sentences(await check(company));
    expect(named, change).toContain(sentence);
    expect(named).not.toContain(SCHEMA);
    await tamper(company, [undo]);
  }
  expect(sentences(await check(company))).toEqual([]);
});
