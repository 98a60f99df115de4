import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { getInvoice, line, newInvoice, openTrader } from "../commerce.ts";
import { tally, times } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { byQuantity, newNote, postNote } from "./notes.ts";

const { company, customerId } = await openTrader("2026-06-15T06:00:00Z");

const patchProfile = (body: object) => company.call("PATCH", "/settings/:company/profile", { body });

test("each financial year has its own numbers, with the company's prefix", async () => {
  const invoice = await newInvoice(company, customerId, { items: [line], invoice_date: "2026-03-01" });
  const id = invoice.items[0]?.id;
  const before = await newNote(company, invoice.id, byQuantity(id, 1, { note_date: "2026-03-31" }));
  expect(before.credit_note_number).toMatch(/^CN\/25-26\/\d{5}$/);
  must(await patchProfile({ credit_note_prefix: "CR" }), 200);
  const after = await newNote(company, invoice.id, byQuantity(id, 1, { note_date: "2026-04-01" }));
  expect(after.credit_note_number).toMatch(/^CR\/26-27\/\d{5}$/);
  const [last] = await company.rows(
    "SELECT last FROM number_series WHERE series = 'credit_note' AND period = '26-27'",
  );
  expect(after.credit_note_number.endsWith(String(last?.last))).toBe(true);
});

test("a prefix that other documents ever had is refused, and so is a number of theirs", async () => {
  const invoice = await newInvoice(company, customerId);
  await newNote(company, invoice.id, byQuantity(invoice.items[0]?.id, 1));
  must(await patchProfile({ credit_note_prefix: "CD", invoice_prefix: "IV" }), 200);
  for (const body of [
    { credit_note_prefix: "inv" },
    { credit_note_prefix: "IV" },
    { credit_note_prefix: "So" },
    { invoice_prefix: "CN" },
    { invoice_prefix: "RFV" },
    { invoice_prefix: "cd" },
  ]) {
    const refused = Object.fromEntries(Object.keys(body).map((field) => [field, "not_unique"]));
    expectRefused(await patchProfile(body), refused);
  }
  expectRefused(await patchProfile({ credit_note_prefix: "X", invoice_prefix: "x" }), {
    credit_note_prefix: "not_unique",
  });
  must(await patchProfile({ credit_note_prefix: "CN", invoice_prefix: "INV" }), 200);
  const copied = async (table: string, number: string, taken: string) => {
    const columns = await company.rows("SELECT name FROM pragma_table_info(?) WHERE name <> 'id'", table);
    const names = columns.map(({ name }) => String(name));
    const values = names.map((name) => (name === number ? taken : name));
    return company.rows(
      `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table} LIMIT 1`,
    );
  };
  await expect(
    copied("credit_notes", "credit_note_number", "(SELECT max(invoice_number) FROM invoices)"),
  ).rejects.toThrow("number_of_an_invoice");
  await expect(
    copied("invoices", "invoice_number", "(SELECT max(credit_note_number) FROM credit_notes)"),
  ).rejects.toThrow("number_of_a_credit_note");
});

test("an invoice has at most 100 notes, and says that it is the invoice which is full", async () => {
  const invoice = await newInvoice(company, customerId, { items: [{ ...line, quantity: 101 }] });
  const credit = () => postNote(company, invoice.id, byQuantity(invoice.items[0]?.id, 1));
  for (let noted = 0; noted < 100; noted += 10) {
    const notes = await Promise.all(Array.from({ length: 10 }, credit));
    expect(new Set(notes.map(({ status }) => status))).toEqual(new Set([201]));
  }
  expect(await credit()).toMatchObject(
    refusal(409, "limit_reached", { message: expect.stringContaining("The invoice has 100 credit notes") }),
  );
});

test("20 notes of 1 on a line of 10: ten are issued, numbered without gap", async () => {
  const invoice = await newInvoice(company, customerId, { items: [{ ...line, quantity: 10 }] });
  const id = invoice.items[0]?.id;
  const answers = await times(20, () => postNote(company, invoice.id, byQuantity(id, 1)));
  expect(tally(answers)).toEqual({ 201: 10, 422: 10 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({ credit_status: "full", amount_due: 0 });
});
