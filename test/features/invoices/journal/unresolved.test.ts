import { afterEach, describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { getInvoice, newCustomer, newInvoice, REGISTERED, setClock } from "../../commerce.ts";

const company = await openCompany(REGISTERED);
await setClock(company, "2026-06-15T06:00:00Z");
const customerId = (await newCustomer(company)).id;
// The year in which the test runs was opened with the company.
await company.rows("DELETE FROM financial_years");
afterEach(() => expectSound(company));

async function financialYears(): Promise<unknown[]> {
  const rows = await company.rows("SELECT name FROM financial_years ORDER BY name");
  return rows.map(({ name }) => name);
}

async function issuedUnposted(fields: Record<string, unknown> = {}): Promise<void> {
  const counts =
    "SELECT (SELECT count(*) FROM journal_entries) AS entries, (SELECT count(*) FROM journal_lines) AS lines";
  const before = await company.rows(counts);
  const { warnings, ...created } = await newInvoice(company, customerId, fields);
  expect(created.journal_entry_id).toBeNull();
  expect(warnings).toHaveLength(1);
  expect(await getInvoice(company, created.id)).toEqual(created);
  expect(await company.rows(counts)).toEqual(before);
}

describe("the financial year of an invoice is opened from two years back to one ahead", () => {
  const opened: string[] = [];

  test.each([
    ["2024-04-01", "2024-25"],
    ["2025-03-31", "2024-25"],
    ["2026-03-31", "2025-26"],
    ["2026-06-15", "2026-27"],
    ["2027-06-15", "2027-28"],
  ])("%s is posted in %s", async (invoice_date, year) => {
    const created = await newInvoice(company, customerId, { invoice_date });
    expect(created.journal_entry_id).not.toBeNull();
    if (!opened.includes(year)) opened.push(year);
    expect(await financialYears()).toEqual(opened);
    await newInvoice(company, customerId, { invoice_date });
    expect(await financialYears()).toEqual(opened);
  });
});

describe("any other year is not opened", () => {
  test.each(["2000-04-01", "2001-01-01", "2024-03-31"])(
    "%s is issued without an entry",
    async (invoice_date) => {
      const before = await financialYears();
      await issuedUnposted({ invoice_date });
      expect(await financialYears()).toEqual(before);
    },
  );
});

test("a year that is there already is used however far it lies", async () => {
  await company.rows(
    "INSERT INTO financial_years (name, start_date, end_date) VALUES ('2000-01', '2000-04-01', '2001-03-31')",
  );
  const created = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  expect(created.journal_entry_id).not.toBeNull();
});

describe("an account that is not active takes no entry, and the whole entry is left out", () => {
  test.each([
    ["Sales", "code = '4000'"],
    ["Output SGST", "code = '2110'"],
    ["Round Off", "code = '5200'"],
    ["the customer's own", "party_id IS NOT NULL"],
  ])("%s", async (_name, where) => {
    await company.rows(`UPDATE accounts SET is_active = 0 WHERE ${where}`);
    await issuedUnposted();
    await company.rows(`UPDATE accounts SET is_active = 1 WHERE ${where}`);
    expect((await newInvoice(company, customerId)).journal_entry_id).not.toBeNull();
  });

  test("unless the entry has no line on it", async () => {
    await company.rows("UPDATE accounts SET is_active = 0 WHERE code IN ('2120', '1010')");
    expect((await newInvoice(company, customerId)).journal_entry_id).not.toBeNull();
  });
});

test("what is left out takes no entry number", async () => {
  const { journal_entry_id: id } = await newInvoice(company, customerId);
  const numbers = async () =>
    (await company.rows("SELECT entry_number FROM journal_entries WHERE id >= ? ORDER BY id", id)).map(
      ({ entry_number: number }) => String(number),
    );
  const [first = ""] = await numbers();
  expect(first).toMatch(/^JV\/26-27\/\d{5}$/);
  await company.rows("UPDATE accounts SET is_active = 0 WHERE code = '4000'");
  await issuedUnposted();
  await company.rows("UPDATE accounts SET is_active = 1 WHERE code = '4000'");
  await newInvoice(company, customerId);
  const second = String(Number(first.slice(-5)) + 1).padStart(5, "0");
  expect(await numbers()).toEqual([first, `JV/26-27/${second}`]);
});

test("a closed year takes no entry", async () => {
  await newInvoice(company, customerId);
  await company.rows("UPDATE financial_years SET is_closed = 1 WHERE name = '2026-27'");
  await issuedUnposted();
});
