import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { line, newCustomer, newInvoice, REGISTERED, rowsOf, setClock } from "../features/commerce.ts";
import { newPayment, newProduct, voidInvoice } from "../features/money.ts";
import { must, openCompany, platform, type TestCompany } from "../support/company.ts";

type Checked = {
  sound: boolean;
  broken: { invariant: string; rows: number; ids: string[] }[];
  skipped: string[];
};
const SCHEMA = "the schema is what the migrations make";
const { cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../vectors/corruptions.json"), "utf8"),
) as { cases: { name: string; change: string }[] };

async function check(company: TestCompany): Promise<Checked> {
  const answer = await platform<Checked>("GET", `/platform/self-check/${company.slug}`);
  return must(answer, 200).body.data;
}

const sentences = ({ broken }: Checked) => broken.map(({ invariant }) => invariant);

/** Invoices 1 to 4, of which 2 is voided and 4 has neither payment nor product; payments of 1 and 3; product 1. */
async function filledCompany(): Promise<TestCompany> {
  const company = await openCompany(REGISTERED);
  // Nobody has changed a mode of payment since the company was opened.
  await rowsOf(company, "UPDATE payment_modes SET created_at = 0, updated_at = 0");
  const customer = await newCustomer(company);
  await newCustomer(company, { name: "Anil & Sons" });
  const product = await newProduct(company, { track_stock: true, opening_stock: 50 });
  const sold = { ...line, product_id: product.id };
  for (const items of [[line], [sold], [line, sold]]) await newInvoice(company, customer.id, { items });
  for (const invoice_id of ["1", "3"])
    await newPayment(company, { invoice_id, amount: 100, tds_amount: 10, tds_section: "194C" });
  must(await voidInvoice(company, "2"), 200);
  await newInvoice(company, customer.id, { items: [{ ...line, tax_rate: 0.25 }] });
  return company;
}

/** Runs statements that the triggers would refuse, and puts the triggers back. */
async function tamper(company: TestCompany, statements: readonly string[]): Promise<void> {
  const triggers = await rowsOf(company, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
  await company
    .database()
    .batch(
      [
        ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
        ...statements,
        ...triggers.map(({ sql }) => String(sql)),
      ],
      "write",
    );
}

const entryOf = (type: string, id: number) =>
  `(SELECT id FROM journal_entries WHERE source_type = '${type}' AND source_id = ${id} AND reversal_of IS NULL)`;
const account = (code: string) => `(SELECT id FROM accounts WHERE code = '${code}')`;
const stockIsTheSum =
  "UPDATE products SET current_stock = (SELECT sum(quantity) FROM stock_movements WHERE product_id = products.id)";
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
  line_tax: ["UPDATE invoice_items SET cgst_amount = cgst_amount + 1 WHERE id = 1"],
  head_shift: ["UPDATE invoices SET cgst_total = cgst_total + 1, sgst_total = sgst_total - 1 WHERE id = 1"],
  tax_to_round_off: [
    "UPDATE invoices SET cgst_total = cgst_total - 1, tax_total = tax_total - 1, round_off = round_off + 1 WHERE id = 1",
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

describe("what somebody changes by hand is named, whatever the triggers are", () => {
  test.each(cases)("$name: $change", async ({ name }) => {
    const company = await filledCompany();
    expect(await check(company)).toEqual({
      slug: company.slug,
      sound: true,
      broken: [],
      open: [],
      skipped: [],
    });
    if (name === "triggers_dropped") {
      const triggers = await rowsOf(company, "SELECT name FROM sqlite_schema WHERE type = 'trigger'");
      await company.database().batch(
        triggers.map((trigger) => `DROP TRIGGER ${trigger.name}`),
        "write",
      );
      const checked = await check(company);
      expect(sentences(checked)).toEqual([SCHEMA]);
      expect(checked.broken[0]?.rows).toBe(triggers.length);
      return;
    }
    // What the company was asked meanwhile is forgotten after a while.
    const forget = "DELETE FROM operations";
    const change = CHANGES[name];
    if (change === undefined) throw new Error(`No change makes ${name}`);
    await tamper(company, [forget, ...change]);
    const named = sentences(await check(company));
    expect(named).not.toEqual([]);
    expect(named).not.toContain(SCHEMA);
  });
});

test("what breaks a sentence is named by id, twenty at most", async () => {
  const company = await filledCompany();
  await tamper(company, ["UPDATE invoice_items SET quantity = 2 * quantity WHERE invoice_id IN (1, 4)"]);
  expect((await check(company)).broken).toContainEqual({
    invariant: "a line's value is its quantity times its price, less its discount",
    rows: 2,
    ids: ["1", "4"],
  });
  await company.database().batch(
    Array.from({ length: 25 }, (_, n) => `INSERT INTO number_series VALUES ('invoice', 'x${n}', 1)`),
    "write",
  );
  const numbers = (await check(company)).broken.find(({ invariant }) => invariant.startsWith("invoice numb"));
  expect(numbers).toMatchObject({ rows: 25 });
  expect(numbers?.ids).toHaveLength(20);
});

test("a company checks its own books, and a key needs ledger:read to", async () => {
  const company = await filledCompany();
  const ask = async (key = company.admin) => company.call("GET", "/ledger/:company/self-check", { key });
  expect(must(await ask(), 200).body.data).toEqual({ sound: true, broken: [], open: [] });
  await tamper(company, ["UPDATE payments SET amount = amount + 1 WHERE id = 1", "DELETE FROM audit_log"]);
  const checked = must(await ask(), 200).body.data;
  expect(checked).toMatchObject({ sound: false, open: [] });
  expect(checked.broken).toContainEqual({
    invariant: "what was paid on an invoice is the sum of its live payments",
    rows: 1,
    ids: ["1"],
  });
  // What is not of the books is for whoever runs the service.
  expect(JSON.stringify(checked)).not.toContain("audit");
  expect((await ask(await company.key("invoices:read"))).status).toBe(403);
});

describe("what is no fault is not reported", () => {
  test("another invoice_prefix in the middle of the year: its series goes on", async () => {
    const company = await filledCompany();
    const patched = await company.call("PATCH", "/settings/:company/profile", {
      body: { invoice_prefix: "KA" },
    });
    must(patched, 200);
    expect((await newInvoice(company, "1")).invoice_number).toMatch(/^KA\/\d\d-\d\d\/00005$/);
    expect(await check(company)).toMatchObject({ sound: true });
  });

  test("a posted invoice whose payment could not be posted, and a posted payment of one that could not", async () => {
    const company = await openCompany(REGISTERED);
    await setClock(company, "2026-06-15T06:00:00Z");
    const { id } = await newCustomer(company);
    const posted = await newInvoice(company, id);
    await newPayment(company, { invoice_id: posted.id, amount: 54, payment_date: "1990-01-01" });
    const unposted = await newInvoice(company, id, { invoice_date: "1990-01-01" });
    await newPayment(company, { invoice_id: unposted.id, amount: 54, payment_date: "2026-06-15" });
    expect(await check(company)).toMatchObject({ sound: true });
  });

  test("a mode of payment that was given another account since", async () => {
    const company = await filledCompany();
    must(
      await company.call("PATCH", "/settings/:company/payment-modes/2", { body: { mode_type: "cash" } }),
      200,
    );
    expect(await check(company)).toMatchObject({ sound: true });
  });
});

test("stock that fell below zero by what was not allowed to is named, though an older movement was", async () => {
  const company = await filledCompany();
  await tamper(company, [
    "UPDATE stock_movements SET allow_negative = 1 WHERE type = 'sale'",
    `INSERT INTO stock_movements (operation, product_id, type, quantity, balance_after, created_at)
      SELECT 'x', id, 'adjust_decrease', -current_stock - 1000, -1000, 0 FROM products`,
    stockIsTheSum,
  ]);
  expect(sentences(await check(company))).toEqual(["what took stock below zero was allowed to"]);
});

describe("a schema that is not what the migrations make is named", () => {
  test.each([
    ["a dropped trigger", ["DROP TRIGGER payment_is_not_deleted"], ["trigger payment_is_not_deleted"]],
    ["an added column", ["ALTER TABLE payments ADD COLUMN extra TEXT"], ["table payments"]],
    ["a missing index", ["DROP INDEX payments_live"], ["index payments_live"]],
    ["an index of somebody's own", ["CREATE INDEX own ON payments (amount)"], ["index own"]],
  ])("%s", async (_name, statements, ids) => {
    const company = await openCompany();
    await company.database().batch(statements, "write");
    expect((await check(company)).broken).toEqual([{ invariant: SCHEMA, rows: 1, ids }]);
  });

  test("a migration that was not recorded", async () => {
    const company = await openCompany();
    await rowsOf(company, "DELETE FROM migrations WHERE name = '0009_messaging_settings'");
    expect((await check(company)).broken).toEqual([
      { invariant: "the migrations are those of this version", rows: 1, ids: ["0009_messaging_settings"] },
    ]);
  });
});

test("a reference to a record that is not there is named", async () => {
  const company = await filledCompany();
  await company
    .database()
    .executeMultiple(
      "PRAGMA foreign_keys = OFF; UPDATE payment_modes SET account_id = 999 WHERE id = 6; PRAGMA foreign_keys = ON",
    );
  expect((await check(company)).broken).toEqual([
    { invariant: "what a record refers to is there", rows: 1, ids: ["payment_modes 6"] },
  ]);
});
