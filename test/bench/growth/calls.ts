import { pagingOf } from "#api/operations/paging.ts";
import { newInvoice } from "../../features/commerce.ts";
import { CASH, newPayment } from "../../features/money.ts";
import { daysAhead } from "../../features/school.ts";
import { must } from "../../support/company.ts";
import { MASTER_KEY } from "../../support/service.ts";
import { INVOICE } from "../scenarios.ts";
import type { Grown } from "./company.ts";

const PAGE = 25;
const CALLS = 40;
const PAGES_MOST = 1.3;
const SEARCH_MOST = 3;
const WRITE_MOST = 1.3;
/** What is read of the whole books, by its path below the ledger. */
export const REPORTS: Record<string, string> = {
  "trial balance": "trial-balance?debtors=together",
  "profit and loss": "profit-and-loss",
  "balance sheet": "balance-sheet",
  ageing: "ageing",
  "day book": "day-book",
};
const WORK_ITEMS = "/projects/:company/projects/1/work-items";
const [UP, DOWN] = ["ASC", "DESC"];

/** A call that is timed: `of` names the small company's call that it is compared with, `most` what the ratio may be. */
export type Call = { name: string; of: string; most?: number; times: number; send: () => Promise<unknown> };
/** A list by pages: its table, what it is ordered by and which way, and what it takes as asked for when nothing is. */
type List = [
  name: string,
  path: string,
  table: string,
  way: string | undefined,
  key?: string,
  filters?: object,
];

const LISTS: readonly List[] = [
  ["customers", "/customers/:company", "customers", DOWN],
  ["invoices", "/invoices/:company", "invoices", DOWN],
  ["payments", "/payments/:company", "payments", DOWN],
  ["journal entries", "/ledger/:company/journal-entries", "journal_entries", DOWN],
  ["accounts", "/ledger/:company/accounts", "accounts", UP, "code, id"],
  ["products", "/products/:company", "products", DOWN],
  ["bookings", "/settings/:company/bookings", "bookings", DOWN, "created_at, id", { order: "created" }],
  ["work items", WORK_ITEMS, "work_items", DOWN],
  ["messages", "/messaging/:company/messages", "messages", DOWN],
];
/** Lists that are searched, with words that find one record, and those that find all. */
const SEARCHED = [
  ["customers", "/customers/:company", "Customer 0000037", "0000"],
  ["products", "/products/:company", "Bottle 0000037", "0000"],
  ["work items", WORK_ITEMS, "Bottle 0000037", "SHOP"],
] as const;

/** All calls on one company; the pages of each list begin where its rows say. */
export async function callsOf(grown: Grown): Promise<Call[]> {
  const call = (name: string, path: string, most?: number, times = CALLS): Call => ({
    ...{ name, of: name, times, send: () => ask(grown, path) },
    ...(most !== undefined && { most }),
  });
  const pages: Call[] = [];
  for (const list of LISTS) pages.push(...(await pagesOf(grown, list)));
  const searches = SEARCHED.flatMap(([name, path, one, all]) =>
    Object.entries({ "one match": one, "1 %": "Centum", all }).map(([matches, term]) =>
      call(`${name}: ${matches}`, `${path}?q=${encodeURIComponent(term)}`, SEARCH_MOST),
    ),
  );
  const slots = `/schools/:company/availability?instructor_id=1&date=${daysAhead(1)}`;
  return [
    ...pages,
    ...searches,
    call("availability", slots, WRITE_MOST),
    ...writesOf(grown),
    ...Object.entries(REPORTS).map(([name, path]) => call(name, `/ledger/:company/${path}`, undefined, 3)),
  ];
}

async function pagesOf(
  grown: Grown,
  [name, path, table, way, key = "id", filters = {}]: List,
): Promise<Call[]> {
  const page = (cursor: string) => () => ask(grown, `${path}?limit=${PAGE}${cursor}`);
  const { next_cursor: first } = (await page("")()).body.paging;
  const { c, r } = JSON.parse(Buffer.from(first?.split(".")[0] ?? "", "base64url").toString());
  const order = key.replaceAll(/\w+/g, `$& ${way}`);
  const cursor = async (skip: string) => {
    const sql = `SELECT ${key} FROM ${table} ORDER BY ${order} LIMIT 1 OFFSET ${skip}`;
    const { rows } = await grown.company.database().execute(sql);
    const after = Object.values(rows[0] ?? {}).map((value) => value as string | number);
    const place = { companyId: c, list: r, filters: { ...filters } };
    const paging = await pagingOf(MASTER_KEY, place, { rows: [0], more: true }, () => after);
    return `&cursor=${paging.next_cursor}`;
  };
  const place = { of: `${name}: first page`, most: PAGES_MOST, times: CALLS };
  const middle = await cursor(`(SELECT count(*) / 2 FROM ${table})`);
  const last = await cursor(`(SELECT count(*) - ${PAGE + 1} FROM ${table})`);
  return [
    { ...place, name: `${name}: first page`, send: page("") },
    { ...place, name: `${name}: middle page`, send: page(middle) },
    { ...place, name: `${name}: last page`, send: page(last) },
  ];
}

function writesOf({ company, customerId }: Grown): Call[] {
  const unpaid: string[] = [];
  const create = async () => unpaid.push((await newInvoice(company, customerId, INVOICE)).id);
  const pay = () => newPayment(company, { invoice_id: unpaid.pop(), amount: 100, payment_mode_id: CASH });
  return Object.entries({ "create an invoice": create, "pay an invoice": pay }).map(([name, send]) => ({
    ...{ name, of: name, most: WRITE_MOST, times: CALLS, send },
  }));
}

async function ask({ company }: Grown, path: string) {
  return must(await company.call("GET", path), 200);
}
