import { type SQL, sql } from "drizzle-orm";
import type * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptQuery, keptStatement } from "#core/sql/kept-statements.ts";
import { openDebtorAccount } from "#features/ledger";
import { findIndianState } from "#shared/places/states.ts";
import type { Language } from "#shared/text/language.ts";
import { emailColumns, phoneColumns } from "./particulars.ts";
import type { ShippingAddress } from "./schema.ts";
import { isLive } from "./snapshot.ts";
import { customers, NEW_CUSTOMER } from "./tables.ts";

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
  const given = JSON.stringify(rowOf(ctx, prospect, createdVia));
  const made = idOfMade({ operation: ctx.call.id });
  return {
    id: idOfMatch({ given, made }),
    statements: [insertUnknown({ given }), openDebtorAccount(ctx, made, prospect.name)],
  };
}

/** The query for the customer that matches, as `matchCustomer` finds it: one row, whose `id` is null where there is none. */
export function selectMatch({ email, phone }: Pick<Prospect, "email" | "phone">) {
  return selectFound({ given: JSON.stringify({ ...emailColumns(email), ...phoneColumns(phone) }) });
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
  const given = JSON.stringify(rowOf(ctx, prospect, createdVia));
  const made = idOfMade({ operation: ctx.call.id });
  return { id: made, statements: [insertNew({ given }), openDebtorAccount(ctx, made, prospect.name)] };
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
    gstCategory: country === "IN" ? "unregistered" : "overseas",
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

const COLUMNS = [...NEW_CUSTOMER, "createdVia", "language"] as const;
type NewCustomer = Required<Pick<typeof customers.$inferInsert, (typeof COLUMNS)[number]>>;

// The row is bound as one JSON text, so that the text of the statement is always the same.
const into = columnList(customers, COLUMNS);
const values = once(() =>
  sql.join(
    COLUMNS.map((name) => ofRegistered[name] ?? sql.raw(`given ->> '$.${name}'`)),
    sql`, `,
  ),
);
const isItsOwn = sql`given ->> '$.gstin' IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ${customers} WHERE ${customers.gstin} = given ->> '$.gstin' AND ${isLive})`;
const ofRegistered: Partial<Record<(typeof COLUMNS)[number], SQL>> = {
  gstin: sql`CASE WHEN ${isItsOwn} THEN given ->> '$.gstin' END`,
  gstCategory: sql`CASE WHEN ${isItsOwn} THEN 'regular' ELSE given ->> '$.gstCategory' END`,
  pan: sql`CASE WHEN ${isItsOwn} THEN given ->> '$.pan' END`,
};

/** The id of the live customer that the given row is of, or null. */
const found = once(() => {
  const by = (condition: SQL) =>
    sql`(SELECT ${customers.id} FROM ${customers} WHERE ${condition} AND ${isLive} ORDER BY ${customers.id} LIMIT 1)`;
  return sql<number>`coalesce(
    ${by(sql`${customers.emailLower} = given ->> '$.emailLower'`)},
    ${by(sql`${customers.phoneLast9} = given ->> '$.phoneLast9'`)}
  )`;
});

const selectFound = keptQuery((db, { given }: Given<{ given: string }>) =>
  db.select({ id: sql<number | null>`${found()}` }).from(sql`(SELECT ${given} AS given)`),
);
const insertUnknown = keptStatement(
  ({ given }: Given<{ given: string }>) =>
    sql`INSERT INTO ${customers} (${into()}) SELECT ${values()} FROM (SELECT ${given} AS given) WHERE ${found()} IS NULL`,
);
const insertNew = keptStatement(
  ({ given }: Given<{ given: string }>) =>
    sql`INSERT INTO ${customers} (${into()}) SELECT ${values()} FROM (SELECT ${given} AS given) WHERE true`,
);
const idOfMade = keptStatement(
  ({ operation }: Given<{ operation: string }>) =>
    sql<number>`(SELECT ${customers.id} FROM ${customers} WHERE ${customers.operation} = ${operation})`,
);
const idOfMatch = keptStatement(
  ({ given, made }: Given<{ given: string; made: SQL }>) =>
    sql<number>`coalesce((SELECT ${found()} FROM (SELECT ${given} AS given)), ${made})`,
);
