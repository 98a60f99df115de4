import { type SQL, sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { withExternalId } from "#core/sql/external-id.ts";
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
  record: customer,
  select: (_ctx, id) => selectAnyCustomer(sql`${customers.id} = ${id}`),
  alsoRenderedBy: [renderWritten],
  upgrades: [withExternalId],
});

/** The SELECT of live customers as lists show them; `tail` goes on after WHERE. */
export const selectListed = keptStatement(({ tail }: Given<{ tail: SQL }>) => listed(sql``, tail));

/** The SELECT of a page of the live customers that match `q`, a text for the index; the newest first. */
export function selectFound(page: Page, q: string, only: SQL = sql`true`): SQL<CustomerRow> {
  return selectMatching({ below: idBelow(page), take: page.take, only, phrase: searchPhrase(q) });
}

const selectMatching = keptStatement(
  ({ below, take, only, phrase }: Given<{ below: number; take: number; only: SQL; phrase: string }>) =>
    listed(
      sql`customers_search CROSS JOIN`,
      sql`customers_search MATCH ${phrase} AND customers_search.rowid < ${below} AND ${only}
        AND ${customers.id} = customers_search.rowid ORDER BY customers_search.rowid DESC LIMIT ${take}`,
    ),
);

function listed(search: SQL, tail: SQL): SQL<CustomerRow> {
  return sql`SELECT ${listedCustomer.columns()} AS snapshot FROM ${search} ${source()} WHERE ${isLive} AND ${tail}`;
}

/** Whether a customer matches `q`, as a condition. */
export function isFound(q: string): SQL {
  if (!isIndexed(q)) return containsText(q, SEARCHED);
  return sql`${customers.id} IN (SELECT rowid FROM customers_search WHERE customers_search MATCH ${searchPhrase(q)})`;
}

/** What to look for in the index of customers: the text, and where it looks like a phone number its last nine digits too. */
export function searchPhrase(q: string): string {
  const digits = lastDigits(q);
  const isPhone = isIndexed(digits) && PHONE_LIKE.test(plainPhone(q));
  return isPhone ? `${matchOf(q)} OR phone_digits : "${digits}"` : matchOf(q);
}
