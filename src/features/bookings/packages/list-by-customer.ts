import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { customersKnownBy } from "../customers-known-by.ts";
import type { PackageQuery } from "./schema.ts";
import { type PackageRow, selectPackages } from "./snapshot.ts";
import { bookingPackages } from "./tables.ts";

/** The packages of the customers with this e-mail address or phone, newest first. */
export async function listPackages(
  ctx: CallCtx,
  _params: unknown,
  query: PackageQuery,
): Promise<PackageRow[]> {
  const { customer_email: email = null, customer_phone: phone = null } = query;
  const owners = customersKnownBy({ email, phone });
  const tail = sql`${bookingPackages.customerId} IN (${owners}) ORDER BY ${bookingPackages.id} DESC`;
  return readAll(ctx, selectPackages(tail));
}
