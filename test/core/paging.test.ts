import { expect, test } from "vitest";
import { must, openCompany, platform } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { pagesOf } from "../support/pages.ts";

const PATH = "/customers/:company";
type Row = { id: string; name: string };

const [company, stranger] = await Promise.all([openCompany(), openCompany()]);
await company.raiseLimit();
await Promise.all(Array.from({ length: 60 }, (_, index) => add(`Old ${index}`)));

async function add(name: string): Promise<string> {
  return (await company.make<Row>(PATH, { name, state: "Karnataka", pincode: "560001" })).id;
}

const page = (query: string, of = company, path = PATH): Promise<Answer<Row[]>> =>
  of.call<Row[]>("GET", `${path}?${query}`);

test.each([{}, { q: "Old" }, { q: "Ol" }])(
  "60 records in pages of 25 come as 25, 25 and 10, newest first, none lost and none twice: %j",
  async (query) => {
    const pages = await pagesOf(company, PATH, { ...query, limit: "25" });
    expect(pages.map((rows) => rows.length)).toEqual([25, 25, 10]);
    const ids = pages.flat().map(({ id }) => Number(id));
    expect(new Set(ids).size).toBe(60);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  },
);

test("records made or deleted while the pages are read shift nothing", async () => {
  const seen: string[] = [];
  const pages = await pagesOf(company, PATH, { q: "Old", limit: "25" }, async () => {
    seen.push(await add("Old and new"));
  });
  const ids = pages.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(60);
  expect(ids.filter((id) => seen.includes(id))).toEqual([]);

  const first = must(await page("limit=2&q=Ne"), 200).body;
  const [, last] = first.data;
  must(await company.call("DELETE", `${PATH}/${last?.id}`), 200);
  const second = must(await page(`limit=2&q=Ne&cursor=${first.paging.next_cursor}`), 200).body;
  expect(second.data.map(({ id }) => Number(id))).toEqual([Math.min(...seen.map(Number))]);
  for (const id of seen.filter((id) => id !== last?.id))
    must(await company.call("DELETE", `${PATH}/${id}`), 200);
});

test("a page is 25 records unless it is asked otherwise, and the limit may change between pages", async () => {
  const first = must(await page(""), 200).body;
  expect(first.data).toHaveLength(25);
  const second = must(await page(`limit=40&cursor=${first.paging.next_cursor}`), 200).body;
  expect(second.data).toHaveLength(35);
  expect(second.paging).toEqual({ next_cursor: null, has_more: false });
});

test("a cursor is good for its own list, filters and company only", async () => {
  const cursor = must(await page("limit=5&q=Old"), 200).body.paging.next_cursor ?? "";
  const refused = await Promise.all([
    page(`cursor=${cursor}`),
    page(`q=Ol&cursor=${cursor}`),
    page(`cursor=${cursor}`, company, "/invoices/:company"),
    page(`cursor=${cursor}`, company, "/settings/:company/locations"),
    page(`q=Old&cursor=${cursor}`, stranger),
  ]);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_cursor" } });
  expect((await page(`q=Old&cursor=${cursor}`)).status).toBe(200);
});

test("the platform's list of companies is paged alike", async () => {
  const opened = [company, stranger].map(({ slug }) => slug);
  type Companies = { slug: string }[];
  const first = must(await platform<Companies>("GET", "/platform/companies?limit=1"), 200).body;
  const cursor = encodeURIComponent(first.paging.next_cursor ?? "");
  const next = await platform<Companies>("GET", `/platform/companies?limit=100&cursor=${cursor}`);
  const second = must(next, 200).body;
  const slugs = [...first.data, ...second.data].map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of opened) expect(slugs).toContain(slug);
});
