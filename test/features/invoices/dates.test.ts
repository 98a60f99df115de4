import { describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import { getInvoice, listInvoices, newCustomer, newInvoice, postInvoice, setClock } from "../commerce.ts";
import { expectRefused } from "../refusal.ts";
import { settle } from "./page/hosted.ts";

const company = await openSound({ state: "Karnataka" });
const customerId = (await newCustomer(company)).id;
const onTerms = (await newCustomer(company, { payment_terms_days: 45 })).id;

test("an invoice is due on its date, or when the customer's payment terms end", async () => {
  const dated = { invoice_date: "2026-01-31" };
  expect(await newInvoice(company, customerId, dated)).toMatchObject({ ...dated, due_date: "2026-01-31" });
  expect(await newInvoice(company, onTerms, dated)).toMatchObject({ ...dated, due_date: "2026-03-17" });
});

test("a due date that is sent stands, on the invoice's date at the earliest", async () => {
  const dated = { invoice_date: "2026-01-31" };
  for (const due_date of ["2026-01-31", "2026-02-01", "2027-01-31"]) {
    expect(await newInvoice(company, onTerms, { ...dated, due_date })).toMatchObject({ due_date });
  }
  const answer = await postInvoice(company, onTerms, { ...dated, due_date: "2026-01-30" });
  expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expectRefused(answer, { due_date: "too_small" });
});

describe("today is the company's own day", () => {
  test.each([
    ["2026-03-31T18:29:00Z", "2026-03-31", "2025-26"],
    ["2026-03-31T18:31:00Z", "2026-04-01", "2026-27"],
  ])("at %s it is %s in India", async (instant, date, year) => {
    await setClock(company, instant);
    const created = await newInvoice(company, customerId);
    expect(created).toMatchObject({ invoice_date: date, due_date: date, financial_year: year });
    expect(created.created_at.slice(0, 16)).toBe(instant.slice(0, 16));
  });

  test("and another in Los Angeles", async () => {
    const elsewhere = await openCompany({ timezone: "America/Los_Angeles" });
    await setClock(elsewhere, "2026-04-01T06:30:00Z");
    const { id } = await newCustomer(elsewhere);
    expect(await newInvoice(elsewhere, id)).toMatchObject({
      invoice_date: "2026-03-31",
      financial_year: "2025-26",
    });
  });

  test("an invoice is overdue from the day after it was due, by the company's clock", async () => {
    await setClock(company, "2026-06-20T18:28:00Z");
    const { id, is_overdue: atFirst } = await newInvoice(company, customerId, { invoice_date: "2026-06-20" });
    const overdue = async () => {
      const listed = (await listInvoices(company, "limit=1"))[0];
      const read = await getInvoice(company, id);
      expect(listed).toEqual(read);
      return read.is_overdue;
    };
    expect([atFirst, await overdue()]).toEqual([false, false]);
    await setClock(company, "2026-06-20T18:31:00Z");
    expect(await overdue()).toBe(true);
    await settle(company, id, 353_99);
    expect(await overdue()).toBe(true);
    await settle(company, id, 354_00);
    expect(await overdue()).toBe(false);
    const again = "amount_paid = 0, amount_due = total_amount, due_raises = 1";
    await company.rows(`UPDATE invoices SET ${again} WHERE id = ?`, id);
    await setClock(company, "2026-06-20T12:00:00Z");
    expect(await overdue()).toBe(false);
  });

  test("an invoice of the past is overdue from the start", async () => {
    expect((await newInvoice(company, customerId, { invoice_date: "2025-12-31" })).is_overdue).toBe(true);
  });
});

describe("an invoice's date lies from 1 April 2000 to a year ahead: series are named by two digits of a year", () => {
  test.each([
    ["1999-12-31", "too_small"],
    ["2000-03-31", "too_small"],
    ["2027-06-16", "too_big"],
    ["2099-04-01", "too_big"],
    ["2999-12-31", "too_big"],
  ])("%s is 422 while it is 15 June 2026", async (invoice_date, code) => {
    await setClock(company, "2026-06-15T06:00:00Z");
    const answer = await postInvoice(company, customerId, { invoice_date });
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expectRefused(answer, { invoice_date: code });
  });

  test("2000-04-01 and 2027-06-15 are issued, each in the series of its year", async () => {
    await setClock(company, "2026-06-15T06:00:00Z");
    for (const [invoice_date, number] of [
      ["2000-04-01", "INV/00-01/00001"],
      ["2027-06-15", "INV/27-28/00001"],
    ])
      expect((await newInvoice(company, customerId, { invoice_date })).invoice_number).toBe(number);
  });

  test("the database refuses a date that another century's series would have", async () => {
    const { id } = await newInvoice(company, customerId);
    const names = (
      await company.rows("SELECT name FROM pragma_table_info('invoices') WHERE name <> 'id'")
    ).map(({ name }) => String(name));
    const values = names.map((name) => (name === "invoice_date" ? "'1999-12-31'" : name));
    const insert = `INSERT INTO invoices (${names.join()}) SELECT ${values.join()} FROM invoices WHERE id = ?`;
    await expect(company.rows(insert, id)).rejects.toThrow("invoice_date_out_of_range");
  });
});
