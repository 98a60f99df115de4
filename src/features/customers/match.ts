import { type SQL, sql } from "drizzle-orm";
import { openDebtorAccount } from "#features/ledger";
import type { Ctx } from "#platform/context.ts";
import { phoneLast9 } from "#shared/phone.ts";
import { findIndianState } from "#shared/states.ts";
import { emailColumns, phoneColumns } from "./particulars.ts";
import { isLive } from "./snapshot.ts";
import { customers } from "./tables.ts";

/** What a shopper or a student says of themselves; `email` or `phone` is there. */
export type Visitor = {
  name: string;
  email: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  pincode: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
};

/**
 * The customer that a visitor is: by e-mail address, else by the last nine digits of the phone, the oldest first; else a
 * new one, made by `statements` in the batch that uses `id`. One that is found is never written to.
 */
export function matchCustomer(
  ctx: Ctx,
  visitor: Visitor,
  createdVia: "storefront" | "booking",
): { statements: SQL[]; id: SQL<number> } {
  const found = matching(visitor);
  const { country } = visitor;
  const state = country === "IN" && visitor.state !== null ? findIndianState(visitor.state) : undefined;
  const row = {
    operation: ctx.operation.id,
    name: visitor.name,
    ...emailColumns(visitor.email),
    ...phoneColumns(visitor.phone),
    gstCategory: country === "IN" ? "unregistered" : "overseas",
    address: visitor.address,
    city: visitor.city,
    state: state?.name ?? visitor.state ?? "",
    stateCode: state?.code ?? null,
    pincode: visitor.pincode ?? "",
    country,
    currency: ctx.company.currency,
    createdVia,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const names = Object.keys(row) as (keyof typeof row)[];
  const columns = names.map((name) => sql.identifier(customers[name].name));
  const made = sql<number>`(SELECT id FROM ${customers} WHERE operation = ${ctx.operation.id})`;
  return {
    id: sql`coalesce(${found}, ${made})`,
    statements: [
      sql`INSERT INTO ${customers} (${sql.join(columns, sql`, `)})
        SELECT ${sql.join(
          names.map((name) => sql`${row[name]}`),
          sql`, `,
        )} WHERE ${found} IS NULL`,
      openDebtorAccount(ctx, made, visitor.name),
    ],
  };
}

/** The id of the live customer that a visitor is, or null. */
function matching({ email, phone }: Visitor): SQL<number> {
  const last9 = phone === null ? null : phoneLast9(phone);
  const by = (condition: SQL) =>
    sql`(SELECT ${customers.id} FROM ${customers} WHERE ${condition} AND ${isLive} ORDER BY ${customers.id} LIMIT 1)`;
  return sql`coalesce(
    ${by(sql`${customers.emailLower} = ${email?.toLowerCase() ?? null}`)},
    ${by(sql`${customers.phoneLast9} = ${last9}`)}
  )`;
}
