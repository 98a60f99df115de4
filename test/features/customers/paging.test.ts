import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { type CustomerRecord, deleteCustomer, newCustomer, patchCustomer } from "../commerce.ts";

const ROWS = 60;

/** Walks all pages; `between` runs after each page that another follows. */
async function walk(
  company: TestCompany,
  query: string,
  between: (seen: string[]) => Promise<unknown>,
): Promise<{ sizes: number[]; ids: string[] }> {
  const sizes: number[] = [];
  const ids: string[] = [];
  let cursor = "";
  for (;;) {
    const path = `/customers/:company?${query}${cursor}`;
    const { data, paging } = must(await company.call<CustomerRecord[]>("GET", path), 200).body;
    sizes.push(data.length);
    ids.push(...data.map(({ id }) => id));
    expect(paging.next_cursor === null).toBe(!paging.has_more);
    if (paging.next_cursor === null) return { sizes, ids };
    cursor = `&cursor=${encodeURIComponent(paging.next_cursor)}`;
    await between(ids);
  }
}

// 60 at any time, newest first: for each that a test deletes it makes another.
const company = await openCompany({ state: "Karnataka" });
const created = await Promise.all(
  Array.from({ length: ROWS }, (_, index) => newCustomer(company, { name: `Walker ${index}` })),
);
let expected = created.map(({ id }) => id).sort((a, b) => Number(b) - Number(a));

describe.each([
  ["all customers", ""],
  ["a search of three characters and more", "q=walker&"],
  ["a short search", "q=wa&"],
])("%s", (_what, q) => {
  test("60 rows come in pages of 25, 25 and 10, newest first, none twice and none left out", async () => {
    const { sizes, ids } = await walk(company, q, async () => {});
    expect(sizes).toEqual([25, 25, 10]);
    expect(ids).toEqual(expected);
  });

  test("exactly as many rows as a page holds are one page", async () => {
    expect((await walk(company, `${q}limit=60`, async () => {})).sizes).toEqual([60]);
    expect((await walk(company, `${q}limit=30`, async () => {})).sizes).toEqual([30, 30]);
  });

  test("rows inserted, changed and deleted in between neither repeat a row nor hide one", async () => {
    const deleted: string[] = [];
    const made: string[] = [];
    const { ids } = await walk(company, `${q}limit=7`, async (seen) => {
      const last = seen.at(-1) ?? "";
      const next = expected[expected.indexOf(last) + 3] ?? last;
      made.unshift((await newCustomer(company, { name: "Walker newcomer" })).id);
      await patchCustomer(company, next, { notes: "Changed in between" });
      // The row that the cursor stands on.
      await deleteCustomer(company, last);
      deleted.push(last);
    });
    expect(deleted.length).toBe(8);
    expect(ids).toEqual(expected);
    expected = [...made, ...expected.filter((id) => !deleted.includes(id))];
  });
});
