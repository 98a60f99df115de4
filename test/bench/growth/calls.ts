import type { Client } from "@libsql/client";
import { pagingOf } from "#api/operations/paging.ts";
import { MASTER_KEY } from "../../support/service.ts";
import { newInvoice } from "../scenarios.ts";
import { dayOf, type Grown } from "./company.ts";

const PAGE = 25;
const CALLS = 40;
const DAY_MS = 86_400_000;

/** A call that is timed: `of` names the small company's call that it is compared with, `most` what the ratio may be. */
export type Call = { name: string; of: string; most?: number; times: number; send: () => Promise<unknown> };
/** `filters`: what the list takes as asked for when nothing is. */
type List = { name: string; path: string; table: string; key: string; filters?: Record<string, string> };

const PAGES_MOST = 1.3;
const SEARCH_MOST = 3;
const WRITE_MOST = 1.3;

const LISTS: readonly List[] = [
  { name: "customers", path: "/customers/:company", table: "customers", key: "id" },
  { name: "invoices", path: "/invoices/:company", table: "invoices", key: "id" },
  { name: "payments", path: "/payments/:company", table: "payments", key: "id" },
  { name: "journal entries", path: "/ledger/:company/journal-entries", table: "journal_entries", key: "id" },
  { name: "accounts", path: "/ledger/:company/accounts", table: "accounts", key: "code, id" },
  { name: "products", path: "/products/:company", table: "products", key: "id" },
  {
    name: "bookings",
    path: "/settings/:company/bookings",
    table: "bookings",
    key: "created_at, id",
    filters: { order: "created" },
  },
  { name: "work items", path: "/projects/:company/projects/1/work-items", table: "work_items", key: "id" },
  { name: "messages", path: "/messaging/:company/messages", table: "messages", key: "id" },
];
const SEARCHED = [
  { name: "customers", path: "/customers/:company", one: "Customer 0000037", all: "0000" },
  { name: "products", path: "/products/:company", one: "Bottle 0000037", all: "0000" },
  {
    name: "work items",
    path: "/projects/:company/projects/1/work-items",
    one: "Bottle 0000037",
    all: "SHOP",
  },
];

/** All calls on one company; the pages of each list begin where its rows say. */
export async function callsOf(company: Grown, database: Client): Promise<Call[]> {
  const get = (path: string) => () => ask(company, "GET", path);
  const calls: Call[] = [];
  for (const list of LISTS) calls.push(...(await pagesOf(company, database, list)));
  for (const { name, path, one, all } of SEARCHED)
    for (const [matches, term] of Object.entries({ "one match": one, "1 %": "Centum", all }))
      calls.push({
        ...{ name: `${name}: ${matches}`, of: `${name}: ${matches}`, most: SEARCH_MOST, times: CALLS },
        send: get(`${path}?q=${encodeURIComponent(term)}`),
      });
  const tomorrow = dayOf(Date.now() + DAY_MS);
  const availability = get(`/schools/:company/availability?instructor_id=1&date=${tomorrow}`);
  calls.push({
    name: "availability",
    of: "availability",
    most: WRITE_MOST,
    times: CALLS,
    send: availability,
  });
  calls.push(...writesOf(company));
  const balance = get("/ledger/:company/trial-balance?debtors=together");
  calls.push({ name: "trial balance", of: "trial balance", times: 3, send: balance });
  return calls;
}

async function pagesOf(
  company: Grown,
  database: Client,
  { name, path, table, key, filters = {} }: List,
): Promise<Call[]> {
  const page = (cursor: string) => () => ask(company, "GET", `${path}?limit=${PAGE}${cursor}`);
  const first = (await page("")()) as { paging: { next_cursor: string } };
  const { c, r } = JSON.parse(
    atob(first.paging.next_cursor.split(".")[0]?.replace(/-/g, "+").replace(/_/g, "/") ?? ""),
  );
  const order = await orderOf(first, database, { table, key });
  const cursor = async (skip: string) => {
    const { rows } = await database.execute(
      `SELECT ${key} FROM ${table} ORDER BY ${order} LIMIT 1 OFFSET ${skip}`,
    );
    const after = Object.values(rows[0] ?? {}).map((value) => value as string | number);
    const { next_cursor: next } = await pagingOf(
      MASTER_KEY,
      { companyId: c, list: r, filters },
      { rows: [0], more: true },
      () => after,
    );
    return `&cursor=${next}`;
  };
  const middle = await cursor(`(SELECT count(*) / 2 FROM ${table})`);
  const last = await cursor(`(SELECT count(*) - ${PAGE + 1} FROM ${table})`);
  const place = { of: `${name}: first page`, most: PAGES_MOST, times: CALLS };
  return [
    { ...place, name: `${name}: first page`, send: page("") },
    { ...place, name: `${name}: middle page`, send: page(middle) },
    { ...place, name: `${name}: last page`, send: page(last) },
  ];
}

/** Whether the list goes up or down, as the place that its first page ends at shows. */
async function orderOf(
  { paging }: { paging: { next_cursor: string } },
  database: Client,
  { table, key }: Pick<List, "table" | "key">,
): Promise<string> {
  const encoded = paging.next_cursor.split(".")[0]?.replace(/-/g, "+").replace(/_/g, "/") ?? "";
  const [place] = (JSON.parse(atob(encoded)) as { k: (string | number)[] }).k;
  const [column = "id"] = key.split(", ");
  const { rows } = await database.execute({
    sql: `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${column} <= ? LIMIT 100)) AS before`,
    args: [typeof place === "number" ? BigInt(place) : (place ?? "")],
  });
  const isUp = Number(rows[0]?.before) < 100;
  return key
    .split(", ")
    .map((name) => `${name} ${isUp ? "ASC" : "DESC"}`)
    .join(", ");
}

function writesOf(company: Grown): Call[] {
  const invoice = newInvoice(company.customerId);
  const unpaid: string[] = [];
  const create = async () => {
    const { data } = (await ask(company, "POST", "/invoices/:company", invoice)) as { data: { id: string } };
    unpaid.push(data.id);
  };
  const pay = () =>
    ask(company, "POST", "/payments/:company", {
      ...{ invoice_id: unpaid.pop(), amount: 100, payment_mode_id: 1 },
      payment_date: dayOf(Date.now()),
    });
  const place = { most: WRITE_MOST, times: CALLS };
  return [
    { ...place, name: "create an invoice", of: "create an invoice", send: create },
    { ...place, name: "pay an invoice", of: "pay an invoice", send: pay },
  ];
}

async function ask(
  { url, slug, headers }: Grown,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url + path.replace(":company", slug), {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
