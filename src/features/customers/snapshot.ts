import { type SQL, sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { containsText, isIndexed, matchOf } from "#core/sql/text-search.ts";
import { debtorAccountOf } from "#features/ledger";
import { lastDigits, plainPhone } from "#shared/contact/phone.ts";
import { idBelow, type Page } from "#shared/page.ts";
import { customers } from "#tables/customers";
import { accounts } from "#tables/ledger";
import { type CustomerRow, customer, listedCustomer, renderWritten } from "./record.ts";

/** What a text too short for the index is looked for in. */
export const SEARCHED = [customers.name, customers.email, customers.phone, customers.phoneDigits];
const PHONE_LIKE = /^[0-9 ()+.-]+$/;

const source = once(
  () => sql`${customers} LEFT JOIN ${accounts} ON ${debtorAccountOf(sql`${customers.id}`)}`,
);

/** A live customer: not deleted, and not a vendor only. */
export const isLive = sql`${customers.isCustomer} = 1 AND ${customers.deletedAt} IS NULL`;

/** The SELECT of one live customer, for reads and for the answer of a write. */
export function selectCustomer(where: SQL): SQL<CustomerRow> {
  return selectAnyCustomer(sql`${where} AND ${isLive}`);
}

/** The SELECT of one customer, deleted or not. */
export function selectAnyCustomer(where: SQL): SQL<CustomerRow> {
  return sql`SELECT ${customer.columns()} AS snapshot FROM ${source()} WHERE ${where}`;
}

/** The data of customer events, also of deleted customers. */
export const customerResource = resource({
  name: "customer",
  scope: "customers:read",
  record: customer.schema,
  select: (_ctx, id) => selectAnyCustomer(sql`${customers.id} = ${id}`),
  render: customer.render,
  alsoRenderedBy: [renderWritten],
});

/** The SELECT of a page of live customers, newest first; of those that match `q` where it is given. */
export function selectCustomers(page: Page, q: string | undefined): SQL<CustomerRow> {
  const place = { below: idBelow(page), take: page.take };
  if (q === undefined) return selectNewest({ ...place, matching: sql`` });
  if (isIndexed(q)) return selectFound({ ...place, phrase: searchPhrase(q) });
  return selectNewest({ ...place, matching: sql`AND ${containsText(q, SEARCHED)}` });
}

const selectNewest = keptStatement(
  ({ below, take, matching }: Given<{ below: number; take: number; matching: SQL }>) =>
    sql<CustomerRow>`SELECT ${listedCustomer.columns()} AS snapshot FROM ${source()}
      WHERE ${customers.id} < ${below} ${matching} AND ${isLive} ORDER BY ${customers.id} DESC LIMIT ${take}`,
);
const selectFound = keptStatement(
  ({ below, take, phrase }: Given<{ below: number; take: number; phrase: string }>) =>
    sql<CustomerRow>`SELECT ${listedCustomer.columns()} AS snapshot
      FROM customers_search CROSS JOIN ${source()}
      WHERE customers_search MATCH ${phrase} AND customers_search.rowid < ${below}
        AND ${customers.id} = customers_search.rowid AND ${isLive} ORDER BY customers_search.rowid DESC LIMIT ${take}`,
);

/** What to look for in the index of customers: the text, and where it looks like a phone number its last nine digits too. */
export function searchPhrase(q: string): string {
  const digits = lastDigits(q);
  const isPhone = isIndexed(digits) && PHONE_LIKE.test(plainPhone(q));
  return isPhone ? `${matchOf(q)} OR phone_digits : "${digits}"` : matchOf(q);
}
