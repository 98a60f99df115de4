import { describe, expect, test } from "vitest";
import { newCustomer, newInvoice, REGISTERED, setClock } from "../../features/commerce.ts";
import { newPayment } from "../../features/money.ts";
import { must, openCompany } from "../../support/company.ts";
import { check, filledCompany, SCHEMA, sentences, stockIsTheSum, tamper } from "./self-check.ts";

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
  // What is not of the books is for the operator.
  expect(JSON.stringify(checked)).not.toContain("audit");
  expect((await ask(await company.key("invoices:read"))).status).toBe(403);
});

describe("what is no fault is not reported", () => {
  test("another invoice_prefix in the middle of the year: its series goes on", async () => {
    const company = await filledCompany();
    await company.change("/settings/:company/profile", { invoice_prefix: "KA" });
    expect((await newInvoice(company, "1")).invoice_number).toMatch(/^KA\/\d\d-\d\d\/00005$/);
    expect(await check(company)).toMatchObject({ sound: true });
  });

  test("a posted invoice whose payment could not be posted, and a posted payment of one that could not", async () => {
    const company = await openCompany(REGISTERED);
    await setClock(company, "2026-06-15T06:00:00Z");
    const { id } = await newCustomer(company);
    const posted = await newInvoice(company, id);
    await newPayment(company, { invoice_id: posted.id, amount: 54, payment_date: "2001-01-01" });
    const unposted = await newInvoice(company, id, { invoice_date: "2001-01-01" });
    await newPayment(company, { invoice_id: unposted.id, amount: 54, payment_date: "2026-06-15" });
    expect(await check(company)).toMatchObject({ sound: true });
  });

  test("a mode of payment that was given another account since", async () => {
    const company = await filledCompany();
    await company.change("/settings/:company/payment-modes/2", { mode_type: "cash" });
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
    ["an index of another party", ["CREATE INDEX own ON payments (amount)"], ["index own"]],
  ])("%s", async (_name, statements, ids) => {
    const company = await openCompany();
    await company.database().batch(statements, "write");
    expect((await check(company)).broken).toEqual([{ invariant: SCHEMA, rows: 1, ids }]);
  });

  test.each([
    ["that was not recorded", "DELETE FROM migrations WHERE name = '18_leads'"],
    ["of another text", "UPDATE migrations SET sha256 = 'another' WHERE name = '18_leads'"],
  ])("a migration %s", async (_name, statement) => {
    const company = await openCompany();
    await company.rows(statement);
    expect((await check(company)).broken).toEqual([
      { invariant: "the migrations are those of this version", rows: 1, ids: ["18_leads"] },
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
  expect((await check(company)).broken).toContainEqual({
    invariant: "what a record refers to is there",
    rows: 1,
    ids: ["payment_modes 6"],
  });
});
