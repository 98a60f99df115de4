import { expect, test } from "vitest";
import { line, newCustomer, newInvoice } from "../features/commerce.ts";
import { openCompany, type TestCompany } from "../support/company.ts";
import { pagesOf } from "../support/pages.ts";

// A real database server gives no text above 5 MB, nor an answer above 10 MB.
const MOST_BYTES = 5_000_000;
const INVOICES = 40;
const LINES = 200;
type Row = { id: string };

/** The rows of all pages, page by page; no answer may be larger than a database can give. */
async function boundedPages(company: TestCompany, path: string, limit: number): Promise<Row[][]> {
  const pages = await pagesOf(company, path, { limit: String(limit) });
  for (const rows of pages) expect(JSON.stringify(rows).length).toBeLessThan(MOST_BYTES);
  for (const rows of pages) expect(rows.length).toBeGreaterThan(0);
  return pages;
}

const idsOf = (pages: Row[][]) => pages.flat().map(({ id }) => Number(id));

test("invoices of 200 lines with the longest descriptions are all listed, none lost and none twice", async () => {
  const company = await openCompany();
  const { id: customerId } = await newCustomer(company);
  const items = Array.from({ length: LINES }, () => ({ ...line, description: "d".repeat(1_000) }));
  const issued: number[] = [];
  for (let count = 0; count < INVOICES; count += 1)
    issued.push(Number((await newInvoice(company, customerId, { items })).id));
  for (const limit of [100, 25, 3]) {
    const pages = await boundedPages(company, "/invoices/:company", limit);
    expect(idsOf(pages)).toEqual(issued.toReversed());
    expect(Math.max(...pages.map((rows) => rows.length))).toBeLessThanOrEqual(limit);
    // Full pages where they fit, and never shorter ones than must be.
    expect(pages.length).toBe(limit === 3 ? Math.ceil(INVOICES / 3) : 3);
  }
}, 120_000);

test("a record that is larger than a page's bytes is given, on a page of its own", async () => {
  const company = await openCompany();
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(Number((await newCustomer(company)).id));
  const [, , third] = ids;
  const notes = "n".repeat(4_200_000);
  await company.rows("UPDATE customers SET notes = ? WHERE id = ?", notes, third ?? 0);
  const pages = await boundedPages(company, "/customers/:company", 25);
  expect(pages.map((rows) => rows.map(({ id }) => Number(id)))).toEqual([
    [ids[3]],
    [third],
    [ids[1], ids[0]],
  ]);
});

test("a last page that just fits says that there is no more", async () => {
  const company = await openCompany();
  const ids = [Number((await newCustomer(company)).id), Number((await newCustomer(company)).id)];
  const notes = "n".repeat(1_900_000);
  await company.rows("UPDATE customers SET notes = ?", notes);
  expect(idsOf(await boundedPages(company, "/customers/:company", 25))).toEqual(ids.toReversed());
  expect(await boundedPages(company, "/customers/:company", 2)).toHaveLength(1);
  expect(await boundedPages(company, "/customers/:company", 1)).toHaveLength(2);
});
