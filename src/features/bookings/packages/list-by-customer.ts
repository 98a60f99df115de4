import { type eq, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { phoneLast9 } from "#shared/phone.ts";
import { customers } from "#tables/customers";
import { bookingPackages } from "../tables.ts";
import type { PackageQuery } from "./schema.ts";
import { type PackageRow, selectPackages } from "./snapshot.ts";

/** The packages of the customers with this e-mail address or phone, newest first. */
export async function listPackages(ctx: Ctx, _params: unknown, query: PackageQuery): Promise<PackageRow[]> {
  const { customer_email: email, customer_phone: phone } = query;
  const last9 = phone === undefined ? null : phoneLast9(phone);
  const of = (condition: ReturnType<typeof eq>) =>
    sql`SELECT ${customers.id} FROM ${customers} WHERE ${condition} AND ${isLive}`;
  const owners = sql`${of(sql`${customers.emailLower} = ${email?.toLowerCase() ?? null}`)}
    UNION ${of(sql`${customers.phoneLast9} = ${last9}`)}`;
  const tail = sql`${bookingPackages.customerId} IN (${owners}) ORDER BY ${bookingPackages.id} DESC`;
  const [rows] = await read(ctx, [jsonQuery(ctx, selectPackages(tail))]);
  return parseRows(rows);
}
