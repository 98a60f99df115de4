import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { bookingPackages } from "./tables.ts";

const shape = {
  id: bookingPackages.id,
  customer_id: bookingPackages.customerId,
  customer_confirmed: bookingPackages.customerConfirmed,
  product_id: bookingPackages.productId,
  name: bookingPackages.name,
  sessions_total: bookingPackages.sessionsTotal,
  sessions_used: bookingPackages.sessionsUsed,
  expires_at: bookingPackages.expiresAt,
  status: bookingPackages.status,
  order_id: bookingPackages.orderId,
  booking_id: bookingPackages.bookingId,
  created_at: bookingPackages.createdAt,
  updated_at: bookingPackages.updatedAt,
};
export type PackageRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of packages; `tail` goes on after WHERE. */
export function selectPackages(tail: SQL): SQL<PackageRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${bookingPackages} WHERE ${tail}`;
}

export function renderPackage(row: PackageRow, ctx: ReadCtx) {
  const expired = row.status === "active" && row.expires_at !== null && row.expires_at <= ctx.now;
  return {
    ...row,
    customer_id: String(row.customer_id),
    customer_confirmed: row.customer_confirmed === 1,
    sessions_remaining: row.sessions_total - row.sessions_used,
    status: expired ? ("expired" as const) : row.status,
    expires_at: timestampOrNull(row.expires_at),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
