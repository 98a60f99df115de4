import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { customersKnownBy } from "../customers-known-by.ts";
import type { PackageQuery } from "./schema.ts";
import { type PackageRow, selectPackages } from "./snapshot.ts";
import { bookingPackages } from "./tables.ts";

/**
 * The packages of this e-mail address or phone, newest first: those whose buyer typed it, and those of the customers with it
 * that are known to be theirs.
 */
export async function listPackages(
  ctx: CallCtx,
  _params: unknown,
  query: PackageQuery,
): Promise<PackageRow[]> {
  const { customer_email: email = null, customer_phone: phone = null } = query;
  const { id, customerId, customerConfirmed, contactEmailLower, contactLast9 } = bookingPackages;
  const by = (condition: SQL) => sql`SELECT ${id} FROM ${bookingPackages} WHERE ${condition}`;
  const theirs = sql`${by(sql`${customerId} IN (${customersKnownBy({ email, phone })}) AND ${customerConfirmed} = 1`)}
    UNION ${by(sql`${contactEmailLower} = ${email?.toLowerCase() ?? null}`)}
    UNION ${by(sql`${contactLast9} = ${phone === null ? null : phoneLast9(phone)}`)}`;
  const tail = sql`${id} IN (${theirs}) ORDER BY ${id} DESC`;
  return readAll(ctx, selectPackages(tail));
}
