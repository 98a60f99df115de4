import { type SQL, sql } from "drizzle-orm";
import { debtorAccountOf } from "#features/ledger";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { type Given, keptStatement } from "#platform/sql/kept-statements.ts";
import { containsText, isIndexed, phraseOf } from "#platform/sql/text-search.ts";
import { phoneDigits } from "#shared/contact/phone.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { idBelow, type Page } from "#shared/page.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { isPincodeElsewhere } from "#shared/places/pincodes.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { invoices } from "#tables/invoices";
import { accounts } from "#tables/ledger";
import type { GST_CATEGORIES } from "./schema.ts";
import { customers } from "./tables.ts";

/** What a text too short for the index is looked for in. */
export const SEARCHED = [customers.name, customers.email, customers.phone, customers.phoneDigits];
const PHONE_LIKE = /^[0-9 ()+.-]+$/;

const shape = {
  id: customers.id,
  name: customers.name,
  display_name: customers.displayName,
  email: customers.email,
  phone: customers.phone,
  company_name: customers.companyName,
  gstin: customers.gstin,
  gst_category: sql<(typeof GST_CATEGORIES)[number]>`${customers.gstCategory}`,
  pan: customers.pan,
  address: customers.address,
  city: customers.city,
  state: customers.state,
  state_code: customers.stateCode,
  pincode: customers.pincode,
  country: customers.country,
  shipping_address: sql<ShippingAddress | null>`json(${customers.shippingAddress})`,
  currency: customers.currency,
  payment_terms_days: customers.paymentTermsDays,
  notes: customers.notes,
  language: customers.language,
  is_vendor: customers.isVendor,
  ledger_account_id: sql<number | null>`${accounts.id}`,
  ledger_account_name: sql<string | null>`${accounts.name}`,
  metadata: sql<Record<string, string>>`json(${customers.metadata})`,
  created_at: customers.createdAt,
  updated_at: customers.updatedAt,
};

type ShippingAddress = Record<"address" | "city" | "state" | "pincode" | "country", string | null>;
/** A customer as the database holds it. What is due, in minor units, is in single reads only. */
export type CustomerRow = JsonRow<typeof shape> & {
  outstanding_amount?: number;
  balances?: { currency: string; outstanding_amount: number }[];
};

const live = sql`${invoices.customerId} = ${customers.id} AND ${invoices.status} <> 'voided'`;
// Literal text, because once() takes no bound values.
const RUPEES = sql.raw(`'${BOOKS_CURRENCY}'`);
// The books are in rupees; `balances` has what is due in other currencies.
const outstanding = sql<number>`(
  SELECT coalesce(sum(${invoices.amountDue}), 0) FROM ${invoices} WHERE ${live} AND ${invoices.currency} = ${RUPEES}
)`;
const balances = sql<{ currency: string; outstanding_amount: number }[]>`(
  SELECT json_group_array(json_object('currency', currency, 'outstanding_amount', due)) FROM (
    SELECT ${invoices.currency} AS currency, sum(${invoices.amountDue}) AS due FROM ${invoices} WHERE ${live}
    GROUP BY ${invoices.currency}
  )
)`;
const listColumns = once(() => jsonObject(shape));
const fullColumns = once(() => jsonObject({ ...shape, outstanding_amount: outstanding, balances }));
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
  return sql`SELECT ${fullColumns()} AS snapshot FROM ${source()} WHERE ${where}`;
}

/** The SELECT of a page of live customers, newest first; of those that match `q` where it is given. */
export function selectCustomers(page: Page, q: string | undefined): SQL<CustomerRow> {
  const place = { below: idBelow(page), take: page.take };
  if (q === undefined) return selectNewest({ ...place, matching: sql`` });
  if (isIndexed(q)) return selectFound({ ...place, phrase: searchPhrase(q) });
  return selectNewest({ ...place, matching: sql`AND ${containsText(q, SEARCHED)}` });
}

const selectNewest = keptStatement(
  ({ below, take, matching }: Given<{ below: number; take: number; matching: SQL }>) =>
    sql<CustomerRow>`SELECT ${listColumns()} AS snapshot FROM ${source()}
      WHERE ${customers.id} < ${below} ${matching} AND ${isLive} ORDER BY ${customers.id} DESC LIMIT ${take}`,
);
const selectFound = keptStatement(
  ({ below, take, phrase }: Given<{ below: number; take: number; phrase: string }>) =>
    sql<CustomerRow>`SELECT ${listColumns()} AS snapshot
      FROM customers_search CROSS JOIN ${source()}
      WHERE customers_search MATCH ${phrase} AND customers_search.rowid < ${below}
        AND ${customers.id} = customers_search.rowid AND ${isLive} ORDER BY customers_search.rowid DESC LIMIT ${take}`,
);

/** What to look for in the index of customers: the phrase, and where it looks like a phone number its digits too. */
export function searchPhrase(q: string): string {
  const digits = phoneDigits(q);
  const phrase = phraseOf(q);
  return isIndexed(digits) && PHONE_LIKE.test(q) ? `${phrase} OR phone_digits : "${digits}"` : phrase;
}

export function renderCustomer(row: CustomerRow) {
  const { outstanding_amount: due, balances } = row;
  return {
    ...row,
    id: String(row.id),
    is_vendor: row.is_vendor === 1,
    ledger_account_id: row.ledger_account_id === null ? null : String(row.ledger_account_id),
    outstanding_amount: due === undefined ? undefined : moneyToWire(due),
    balances: balances?.sort(rupeesFirst).map(({ currency, outstanding_amount: minor }) => ({
      currency,
      outstanding_amount: moneyToWire(minor),
    })),
    status: "active" as const,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function rupeesFirst(one: { currency: string }, other: { currency: string }): number {
  const isRupees = Number(other.currency === BOOKS_CURRENCY) - Number(one.currency === BOOKS_CURRENCY);
  return isRupees || (one.currency < other.currency ? -1 : 1);
}

/** The answer of a write, which also says what is likely to be a mistake. */
export function renderWritten(row: CustomerRow) {
  const isElsewhere = row.state_code !== null && isPincodeElsewhere(row.pincode, row.state_code);
  return { ...renderCustomer(row), ...(isElsewhere ? { warnings: ["pincode_outside_state" as const] } : {}) };
}
