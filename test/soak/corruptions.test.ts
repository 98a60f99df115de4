import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { Database } from "#core/database/database.ts";
import { INVARIANT_GROUPS } from "#integrity/invariants/index.ts";
import type { Sentences } from "#integrity/invariants/sentence.ts";
import { brokenIn, sizesOf } from "#integrity/self-check/broken.ts";
import { must, type TestCompany } from "#test/company.ts";
import { newCustomer, newInvoice } from "../features/commerce.ts";
import { applyNote, newNote } from "../features/credit-notes/notes.ts";
import { newPayment, today } from "../features/money.ts";
import { openSeller } from "../features/payments/online/unpaid.ts";
import { paidOrder } from "../features/refunds/refunds.ts";
import { daysAhead, everyDay, newBooking, newCourse, newInstructor } from "../features/school.ts";
import { paidFor, placeOrder } from "../features/storefront/shop.ts";
import {
  type Checked,
  check,
  filledCompany,
  rowsAsWritten,
  SCHEMA,
  sentences,
  stockIsTheSum,
  tamper,
} from "../tenancy/companies/self-check.ts";

const { libsqlUrl, libsqlToken } = inject("service");
type Case = { name: string; change: string };
const { cases, traded } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../vectors/corruptions.json"), "utf8"),
) as { cases: Case[]; traded: Case[] };

const entryOf = (type: string, id: number) =>
  `(SELECT id FROM journal_entries WHERE source_type = '${type}' AND source_id = ${id} AND reversal_of IS NULL)`;
const account = (code: string) => `(SELECT id FROM accounts WHERE code = '${code}')`;
const lastYear = (column: string) => `date(${column}, '-1 year')`;

/** What each corruption does by hand. */
const CHANGES: Record<string, readonly string[]> = {
  unbalanced_line: [
    `UPDATE journal_lines SET credit = credit + 1 WHERE entry_id = ${entryOf("invoice", 1)} AND credit > 0 AND position = 2`,
  ],
  account_swapped_in_entry: [
    `UPDATE journal_lines SET credit = credit - 100 WHERE entry_id = ${entryOf("invoice", 1)} AND account_id = ${account("4000")}`,
    `UPDATE journal_lines SET credit = credit + 100 WHERE entry_id = ${entryOf("invoice", 1)} AND account_id = ${account("2100")}`,
  ],
  receipt_account: [
    `UPDATE journal_lines SET account_id = ${account("1010")} WHERE entry_id = ${entryOf("payment", 1)} AND account_id = ${account("1020")}`,
  ],
  line_tax: [
    "UPDATE invoice_items SET cgst_amount = cgst_amount + 1, sgst_amount = sgst_amount + 1 WHERE id = 1",
  ],
  head_shift: [
    "UPDATE invoices SET cgst_total = cgst_total - 1, sgst_total = sgst_total - 1, igst_total = igst_total + 2 WHERE id = 1",
  ],
  tax_to_round_off: [
    "UPDATE invoices SET cgst_total = cgst_total - 1, sgst_total = sgst_total - 1, tax_total = tax_total - 2, round_off = round_off + 2 WHERE id = 1",
  ],
  quantity: ["UPDATE invoice_items SET quantity = 2 * quantity WHERE id = 1"],
  taxable_value: ["UPDATE invoice_items SET taxable_value = taxable_value + 1 WHERE id = 1"],
  payment_amount: ["UPDATE payments SET amount = amount + 1 WHERE id = 1"],
  payment_customer: ["UPDATE payments SET customer_id = 2 WHERE id = 1"],
  payment_row_deleted: ["DELETE FROM payments WHERE id = 2"],
  invoice_customer: ["UPDATE invoices SET customer_id = 2 WHERE id = 4"],
  invoice_date_other_year: [
    `UPDATE invoices SET invoice_date = ${lastYear("invoice_date")}, due_date = ${lastYear("due_date")} WHERE id = 4`,
  ],
  invoice_number_gap: [
    "UPDATE invoices SET invoice_number = replace(invoice_number, '/00004', '/00400') WHERE id = 4",
  ],
  invoice_number_other_year: [
    "UPDATE invoices SET invoice_number = 'INV/' || substr(CAST(substr(financial_year, 1, 4) AS INTEGER) - 1, 3) || '-' || substr(financial_year, 3, 2) || '/00004' WHERE id = 4",
  ],
  last_invoice_deleted: [
    "DELETE FROM invoice_items WHERE invoice_id = 4",
    "DELETE FROM invoices WHERE id = 4",
  ],
  stock: ["UPDATE products SET current_stock = current_stock + 1000"],
  void_restore_deleted: ["DELETE FROM stock_movements WHERE type = 'void_restore'", stockIsTheSum],
  sale_movement_deleted: [
    "DELETE FROM stock_movements WHERE type = 'sale' AND reference_id = 3",
    stockIsTheSum,
  ],
  supply_type: ["UPDATE invoices SET supply_type = 'inter' WHERE id = 1"],
  entry_deleted: [
    `DELETE FROM journal_lines WHERE entry_id = ${entryOf("invoice", 4)}`,
    "DELETE FROM journal_entries WHERE source_type = 'invoice' AND source_id = 4",
  ],
  audit_rows_deleted: ["DELETE FROM audit_log"],
  entry_date: [
    `UPDATE journal_entries SET entry_date = ${lastYear("entry_date")} WHERE source_type = 'invoice' AND source_id = 4`,
  ],
};

const ofMode = (set: string) => `UPDATE payment_modes SET account_id = ${account("1010")}${set} WHERE id = 4`;
const otherLink = (table: string) =>
  `UPDATE ${table} SET public_token = '${"x".repeat(43)}' WHERE rowid = (SELECT max(rowid) FROM ${table})`;

/** What each corruption of `tradedCompany` does. */
const TRADED: Record<string, readonly string[]> = {
  application_moved: [
    "UPDATE credit_applications SET invoice_id = 3 WHERE invoice_id = 2",
    "UPDATE invoices SET amount_credited = 0, amount_due = amount_due + 10000 WHERE id = 2",
    "UPDATE invoices SET amount_credited = 10000, amount_due = amount_due - 10000 WHERE id = 3",
  ],
  capture_customer: ["UPDATE gateway_captures SET customer_id = 2 WHERE id = 1"],
  settlement_emptied: ["UPDATE gateway_captures SET settlement_id = NULL"],
  package_deleted: ["UPDATE lesson_sales SET package_id = NULL", "DELETE FROM booking_packages"],
  needs_refund_cleared: ["UPDATE sales_orders SET needs_refund = 0"],
  lock_moved: ["UPDATE books_settings SET locked_through = '2021-01-31'"],
  filed_through: ["UPDATE books_settings SET gst_filed_through = '2026-01'"],
  mode_account: [ofMode("")],
  mode_account_and_time: [ofMode(", updated_at = updated_at + 1")],
  invoice_link: [otherLink("invoices")],
  credit_note_link: [otherLink("credit_notes")],
  booking_link: [otherLink("bookings")],
  move_amount: ["UPDATE money_moves SET amount = amount + 1 WHERE from_kind = 'note'"],
  move_deleted: ["DELETE FROM money_moves WHERE key = 'payment:1'"],
  move_of_no_record: ["UPDATE money_moves SET key = 'payment:99' WHERE key = 'payment:2'"],
};

/** Credit of invoice 1 that was applied to invoice 2, invoice 3 unpaid; orders paid twice, settled, and of a package; a booking. */
async function tradedCompany(): Promise<TestCompany> {
  const seller = await openSeller();
  const { company, customerId } = seller;
  await newCustomer(company, { name: "Anil & Sons" });
  const credited = await newInvoice(company, customerId);
  await newPayment(company, { invoice_id: credited.id, amount: 354 });
  const note = await newNote(company, credited.id);
  const applied = await newInvoice(company, customerId);
  must(await applyNote(company, note.id, applied.id, 100), 200);
  await newInvoice(company, customerId);
  const { captureId } = await paidOrder(seller, "paid");
  await paidOrder(seller, "twice");
  const payout = { gateway: "razorpay", settled_on: today(), payout_reference: "setl_1", net_amount: 100 };
  const body = { ...payout, captures: [captureId] };
  must(await company.call("POST", "/ledger/:company/settlements", { body }), 201);
  const instructor = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
  const school = { company, instructorId: instructor.id, courseId: await newCourse(company) };
  await newBooking(school, { booking_date: daysAhead(3), start_time: "10:00" });
  const lesson = { lesson_product_id: school.courseId, is_package: true, sessions: 5, package_days: 90 };
  const product_id = await newCourse(company, { name: "Five lessons", selling_price: 300, ...lesson });
  const items = [{ product_id, name: "P", quantity: 1, unit_price: 300 }];
  await paidFor(seller, await placeOrder(company, { items }));
  await company.change("/settings/:company/books", { locked_through: "2020-01-31" });
  await company.untilChained();
  return company;
}

/** What the company's own check names. */
async function checkBooks(company: TestCompany): Promise<string[]> {
  return sentences(await company.read<Checked>("/ledger/:company/self-check"));
}

/** The same corruptions of one head alone, which the table itself refuses. */
const HEADS_DIFFER = {
  line_tax: "UPDATE invoice_items SET cgst_amount = cgst_amount + 1 WHERE id = 1",
  head_shift: "UPDATE invoices SET cgst_total = cgst_total + 1, sgst_total = sgst_total - 1 WHERE id = 1",
  tax_to_round_off:
    "UPDATE invoices SET cgst_total = cgst_total - 1, tax_total = tax_total - 1, round_off = round_off + 1 WHERE id = 1",
};

function databaseOf({ namespace }: TestCompany): Database {
  return new Database({ url: `${libsqlUrl}/dev/${namespace}/`, token: libsqlToken });
}

/** What breaks a group where each row is looked at in a read of its own, as thousands are in a large company. */
async function brokenByRow(company: TestCompany, group: Sentences) {
  const database = databaseOf(company);
  return brokenIn(database, group, await sizesOf(database), 1);
}

describe("what a person changes by hand is named, whatever the triggers are", () => {
  test.each(cases.filter(({ name }) => name !== "triggers_dropped"))("$name: $change", async ({ name }) => {
    const company = await filledCompany();
    expect(await check(company)).toEqual({
      slug: company.slug,
      sound: true,
      broken: [],
      open: [],
      skipped: [],
    });
    // What the company was asked meanwhile is forgotten after a while.
    const forget = "DELETE FROM operations";
    const change = CHANGES[name];
    if (change === undefined) throw new Error(`No change makes ${name}`);
    await tamper(company, [forget, ...change]);
    const named = sentences(await check(company));
    expect(named).not.toEqual([]);
    expect(named).not.toContain(SCHEMA);
    // The log is for the operator to check.
    if (name !== "audit_rows_deleted") expect(await checkBooks(company)).not.toEqual([]);
    for (const group of Object.values(INVARIANT_GROUPS)) {
      const broken = await brokenIn(databaseOf(company), group);
      if (broken.length > 0) expect(await brokenByRow(company, group)).toEqual(broken);
    }
  });

  test("heads of GST that differ cannot even be written by hand", async () => {
    const company = await filledCompany();
    for (const change of Object.values(HEADS_DIFFER))
      await expect(tamper(company, [change])).rejects.toThrow(/heads_are_equal/);
  });

  test("nothing is, where each row of a sound company is looked at by itself", async () => {
    const company = await filledCompany();
    for (const group of Object.values(INVARIANT_GROUPS))
      expect(await brokenByRow(company, group)).toEqual([]);
  });
});

describe("what a person changes by hand is named by both checks, also where no other record of its kind says it", () => {
  let company: TestCompany;
  let whole: string[];
  beforeAll(async () => {
    company = await tradedCompany();
    expect(await check(company)).toMatchObject({ sound: true, broken: [], skipped: [] });
    expect(await checkBooks(company)).toEqual([]);
    whole = await rowsAsWritten(company, [
      ...["invoices", "credit_notes", "credit_applications", "gateway_captures", "sales_orders", "bookings"],
      ...["booking_packages", "lesson_sales", "books_settings", "payment_modes", "money_moves"],
    ]);
    whole.unshift("DELETE FROM money_moves");
  });

  test.each(traded)("$name: $change", async ({ name }) => {
    const change = TRADED[name];
    if (change === undefined) throw new Error(`No change makes ${name}`);
    await tamper(company, change);
    const named = sentences(await check(company));
    expect(named).not.toEqual([]);
    expect(named).not.toContain(SCHEMA);
    expect(await checkBooks(company)).toEqual(named);
    await tamper(company, whole);
    expect(sentences(await check(company))).toEqual([]);
  });
});
