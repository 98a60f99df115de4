import { type SQL, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import type { ReadCtx, WriteCtx } from "#platform/context.ts";
import { jsonObject } from "#platform/sql/json.ts";
import { refuseWhen } from "#platform/write/atomic.ts";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import type { Contact } from "../customers-known-by.ts";
import { bookingPackages } from "./tables.ts";

/** A package, and by what its owner is known. */
export type OwnedPackage = {
  id: number;
  product_id: number;
  customer_id: number;
  email: string | null;
  last9: string | null;
};

/** The usable package that is asked for as JSON, or null. */
export function packageJson(): SQL<OwnedPackage | null> {
  const columns = jsonObject({
    id: bookingPackages.id,
    product_id: bookingPackages.productId,
    customer_id: bookingPackages.customerId,
    email: customers.emailLower,
    last9: customers.phoneLast9,
  });
  return sql`json((SELECT ${columns} FROM ${bookingPackages}
    JOIN ${customers} ON ${customers.id} = ${bookingPackages.customerId}
    WHERE ${bookingPackages.id} = ask.package_id AND ${isUsable(sql`ask.now`)}))`;
}

/**
 * The package, where it is the customer's own: by e-mail address or phone, with a publishable key by both. Anything else
 * is one and the same 422, so that nobody can probe for packages.
 */
export function requireOwnPackage(ctx: WriteCtx, owned: OwnedPackage | null, contact: Contact): OwnedPackage {
  const email = contact.email !== null && contact.email.toLowerCase() === owned?.email;
  const last9 = contact.phone === null ? null : phoneLast9(contact.phone);
  const phone = last9 !== null && last9 === owned?.last9;
  const own = ctx.actor.type === "publishable" ? email && phone : email || phone;
  if (owned === null || !own) throw new Problem("package_not_found");
  return owned;
}

/** Aborts the batch where the package cannot be used any more. */
export function refuseUnusable(ctx: ReadCtx, { id, customer_id: customerId }: OwnedPackage): SQL {
  const usable = sql`SELECT 1 FROM ${bookingPackages} WHERE ${bookingPackages.id} = ${id}
    AND ${bookingPackages.customerId} = ${customerId} AND ${isUsable(sql`${ctx.now}`)}`;
  return refuseWhen(sql`NOT EXISTS (${usable})`, "package_not_found");
}

function isUsable(now: SQL): SQL {
  const owner = sql`SELECT 1 FROM ${customers} WHERE ${customers.id} = ${bookingPackages.customerId} AND ${isLive}`;
  return sql`${bookingPackages.status} = 'active' AND EXISTS (${owner})
    AND (${bookingPackages.expiresAt} IS NULL OR ${bookingPackages.expiresAt} > ${now})`;
}
