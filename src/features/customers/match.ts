import { type SQL, sql } from "drizzle-orm";
import type * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { type Given, keptQuery, keptStatement } from "#core/sql/kept-statements.ts";
import { openDebtorAccount } from "#features/ledger";
import { categoryOfGstin } from "#shared/gst/gstin.ts";
import { findIndianState } from "#shared/places/states.ts";
import type { Language } from "#shared/text/language.ts";
import { customers } from "#tables/customers";
import { emailColumns, phoneColumns } from "./particulars.ts";
import type { ShippingAddress } from "./schema.ts";
import { isLive } from "./snapshot.ts";

/** What a shopper or a learner says of themselves; `email` or `phone` is there. */
export type Prospect = {
  name: string;
  email: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  pincode: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  language?: Language | null;
  companyName?: string | null;
  gstin?: string | null;
  pan?: string | null;
  shippingAddress?: z.infer<typeof ShippingAddress> | null;
};

/**
 * The customer that matches a prospect: the oldest with that e-mail address, else the oldest with the last nine digits
 * of that phone, else a new one that `statements` make in the batch that uses `id`. A customer that is found is not
 * changed. A new one does not get a GSTIN that another customer has.
 */
export function matchCustomer(
  ctx: CallCtx,
  prospect: Prospect,
  createdVia: "storefront" | "booking",
): { statements: SQL[]; id: SQL<number> } {
  const row = rowOf(ctx, prospect, createdVia);
  const { emailLower, phoneLast9 } = row;
  const made = idOfMade({ operation: ctx.call.id });
  const insert = row.gstin === null ? insertUnknown : insertUnknownRegistered;
  return {
    id: idOfMatch({ emailLower, phoneLast9, made }),
    statements: [insert(row), openDebtorAccount(ctx, made, prospect.name)],
  };
}

/** The query for the customer that matches, as `matchCustomer` finds it: one row, whose `id` is null where there is none. */
export function selectMatch({ email, phone }: Pick<Prospect, "email" | "phone">) {
  const { emailLower } = emailColumns(email);
  const { phoneLast9 } = phoneColumns(phone);
  return selectFound({ emailLower, phoneLast9 });
}

/** A customer that a read has found, while it is live; else NULL, which a column that needs a customer refuses. */
export const stillLive = keptStatement(
  ({ id }: Given<{ id: number }>) =>
    sql<number>`(SELECT ${customers.id} FROM ${customers} WHERE ${customers.id} = ${id} AND ${isLive})`,
);

/** Always a new customer, even if a known one matches; else as `matchCustomer`. */
export function newCustomer(
  ctx: CallCtx,
  prospect: Prospect,
  createdVia: "booking",
): { statements: SQL[]; id: SQL<number> } {
  const row = rowOf(ctx, prospect, createdVia);
  const made = idOfMade({ operation: ctx.call.id });
  const insert = row.gstin === null ? insertNew : insertNewRegistered;
  return { id: made, statements: [insert(row), openDebtorAccount(ctx, made, prospect.name)] };
}

function rowOf(ctx: CallCtx, prospect: Prospect, createdVia: "storefront" | "booking"): NewCustomer {
  const { country } = prospect;
  const state = country === "IN" && prospect.state !== null ? findIndianState(prospect.state) : undefined;
  return {
    operation: ctx.call.id,
    name: prospect.name,
    ...emailColumns(prospect.email),
    ...phoneColumns(prospect.phone),
    companyName: prospect.companyName ?? null,
    gstin: prospect.gstin ?? null,
    gstCategory: prospect.gstin
      ? categoryOfGstin(prospect.gstin)
      : country === "IN"
        ? "unregistered"
        : "overseas",
    pan: prospect.pan ?? null,
    shippingAddress: prospect.shippingAddress ? JSON.stringify(prospect.shippingAddress) : null,
    address: prospect.address,
    city: prospect.city,
    state: state?.name ?? prospect.state ?? "",
    stateCode: state?.code ?? null,
    pincode: prospect.pincode ?? "",
    country,
    language: prospect.language ?? null,
    currency: ctx.company.currency,
    createdVia,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

const COLUMNS = [
  "operation",
  "name",
  "email",
  "emailLower",
  "phone",
  "phoneDigits",
  "phoneLast9",
  "companyName",
  "gstin",
  "gstCategory",
  "pan",
  "address",
  "city",
  "state",
  "stateCode",
  "pincode",
  "country",
  "shippingAddress",
  "currency",
  "createdVia",
  "language",
  "createdAt",
  "updatedAt",
] as const;
type NewCustomer = Pick<typeof customers.$inferSelect, (typeof COLUMNS)[number]>;

type Contact = Pick<NewCustomer, "emailLower" | "phoneLast9">;

const into = columnList(customers, COLUMNS);

/** The id of the live customer with that e-mail address, or with those digits, or null. */
function found({ emailLower, phoneLast9 }: Given<Contact>): SQL<number> {
  const by = (condition: SQL) =>
    sql`(SELECT ${customers.id} FROM ${customers} WHERE ${condition} AND ${isLive} ORDER BY ${customers.id} LIMIT 1)`;
  return sql`coalesce(${by(sql`${customers.emailLower} = ${emailLower}`)}, ${by(sql`${customers.phoneLast9} = ${phoneLast9}`)})`;
}

/** The values of a customer with a GSTIN, who gets it and what comes with it where no other customer has it. */
function ofRegistered({ country, gstin, gstCategory, pan }: Given<NewCustomer>): Partial<Given<NewCustomer>> {
  const isItsOwn = sql`NOT EXISTS (SELECT 1 FROM ${customers} WHERE ${customers.gstin} = ${gstin} AND ${isLive})`;
  return {
    gstin: sql`CASE WHEN ${isItsOwn} THEN ${gstin} END`,
    gstCategory: sql`CASE WHEN ${isItsOwn} THEN ${gstCategory} ELSE iif(${country} = 'IN', 'unregistered', 'overseas') END`,
    pan: sql`CASE WHEN ${isItsOwn} THEN ${pan} END`,
  };
}

function insertion(more: (given: Given<NewCustomer>) => Partial<Given<NewCustomer>>, where: typeof found) {
  return keptStatement((given: Given<NewCustomer>) => {
    const own = more(given);
    const values = COLUMNS.map((name) => sql`${own[name] ?? given[name]}`);
    return sql`INSERT INTO ${customers} (${into()}) SELECT ${sql.join(values, sql`, `)} WHERE ${where(given)} IS NULL`;
  });
}

const NO_MORE = () => ({});
const NONE = () => sql<number>`NULL`;
// What a GSTIN asks of other customers is prepared for a customer who has one.
const insertUnknown = insertion(NO_MORE, found);
const insertUnknownRegistered = insertion(ofRegistered, found);
const insertNew = insertion(NO_MORE, NONE);
const insertNewRegistered = insertion(ofRegistered, NONE);

const selectFound = keptQuery((db, given: Given<Contact>) =>
  db.select({ id: sql<number | null>`${found(given)}` }).from(sql`(SELECT 1)`),
);
const idOfMade = keptStatement(
  ({ operation }: Given<{ operation: string }>) =>
    sql<number>`(SELECT ${customers.id} FROM ${customers} WHERE ${customers.operation} = ${operation})`,
);
const idOfMatch = keptStatement(
  (given: Given<Contact & { made: SQL }>) => sql<number>`coalesce(${found(given)}, ${given.made})`,
);
