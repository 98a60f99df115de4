import { expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, postInvoice, setClock } from "../commerce.ts";

async function openWithCustomer(): Promise<{ company: TestCompany; customerId: string }> {
  const company = await openCompany({ state: "Karnataka" });
  await setClock(company, "2026-06-15T06:00:00Z");
  const { id: customerId } = await newCustomer(company);
  return { company, customerId };
}

const opened = await openWithCustomer();

test("numbers run from 00001 in each financial year, by the invoice's date", async () => {
  const { company, customerId } = opened;
  const numbers: string[] = [];
  for (const invoice_date of ["2026-03-31", "2026-04-01", "2026-03-01", "2027-03-31", "2027-04-01"]) {
    const created = await newInvoice(company, customerId, { invoice_date });
    numbers.push(created.invoice_number);
  }
  expect(numbers).toEqual([
    "INV/25-26/00001",
    "INV/26-27/00001",
    "INV/25-26/00002",
    "INV/26-27/00002",
    "INV/27-28/00001",
  ]);
  await expectSound(company);
});

test("creates that are refused, before or within their batch, leave no gap among those that are not", async () => {
  const { company, customerId } = await openWithCustomer();
  await company.rows(`CREATE TRIGGER test_refuses BEFORE INSERT ON journal_lines WHEN
      (SELECT narration FROM journal_entries WHERE id = NEW.entry_id) LIKE '%3'
      AND NOT EXISTS (SELECT 1 FROM invoices WHERE reference_number = 'through')
      BEGIN SELECT RAISE(ABORT, 'conflict'); END`);
  const calls = Array.from({ length: 9 }, (_, index) =>
    index % 3 === 2
      ? postInvoice(company, customerId, { items: [{ ...line, quantity: 0 }] })
      : postInvoice(company, customerId),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 422).length).toBe(3);
  // Number 3 was taken in each of the other batches, and given back.
  expect(statuses.filter((status) => status === 201).length).toBe(2);
  expect(statuses.filter((status) => status === 409).length).toBe(4);
  const next = await newInvoice(company, customerId, { reference_number: "through" });
  expect(next.invoice_number).toBe("INV/26-27/00003");
  await expectSound(company);
});

test("above 99999 a number has six digits and sixteen characters, and after 999999 none is left", async () => {
  const { company, customerId } = opened;
  const setLast = (last: number) =>
    company.rows(`INSERT INTO number_series (series, period, last) VALUES ('invoice', '26-27', ${last})
        ON CONFLICT DO UPDATE SET last = ${last}`);
  const next = async () => (await newInvoice(company, customerId)).invoice_number;
  await setLast(99_998);
  expect([await next(), await next()]).toEqual(["INV/26-27/99999", "INV/26-27/100000"]);
  await setLast(999_998);
  expect(await next()).toBe("INV/26-27/999999");

  const before = await rowCounts(company);
  const refused = await postInvoice(company, customerId);
  expect(refused).toMatchObject({ status: 409, body: { code: "number_exhausted" } });
  expect(await rowCounts(company)).toEqual(before);
  const lastYear = await newInvoice(company, customerId, { invoice_date: "2026-03-31" });
  expect(lastYear.invoice_number).toBe("INV/25-26/00003");
});

test("companies number apart from each other, with a prefix of their own, and every number fits the rules of GST", async () => {
  const { company, customerId } = await openWithCustomer();
  expect((await newInvoice(company, customerId)).invoice_number).toBe("INV/26-27/00001");
  await company.rows("UPDATE profile SET invoice_prefix = 'A-1'");
  const { invoice_number: number } = await newInvoice(company, customerId);
  expect(number).toBe("A-1/26-27/00002");
  expect(number).toMatch(/^[A-Za-z0-9][A-Za-z0-9\-/]{0,15}$/);
});
