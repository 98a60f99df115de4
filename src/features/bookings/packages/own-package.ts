import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { jsonObject } from "#core/sql/json.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { isLive } from "#features/customers";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { Problem } from "#shared/problem.ts";
import { bookingPackages } from "#tables/bookings";
import { customers } from "#tables/customers";
import type { Contact } from "../customers-known-by.ts";

type Marks = { email: string | null; last9: string | null };
/** A package, and by what its owner is known: what its buyer typed, and the customer's record. */
export type OwnedPackage = {
  id: number;
  product_id: number;
  customer_id: number;
  /** Null where its buyer is not known to be that customer. */
  record: Marks | null;
  typed: Marks;
};

/** The usable package that is asked for as JSON, or null. */
export function packageJson(): SQL<OwnedPackage | null> {
  const record = jsonObject({ email: customers.emailLower, last9: customers.phoneLast9 });
  const columns = jsonObject({
    id: bookingPackages.id,
    product_id: bookingPackages.productId,
    customer_id: bookingPackages.customerId,
    record: sql`iif(${bookingPackages.customerConfirmed} = 1, ${record}, NULL)`,
    typed: jsonObject({ email: bookingPackages.contactEmailLower, last9: bookingPackages.contactLast9 }),
  });
  return sql`json((SELECT ${columns} FROM ${bookingPackages}
    JOIN ${customers} ON ${customers.id} = ${bookingPackages.customerId}
    WHERE ${bookingPackages.id} = ask.package_id AND ${isUsable(sql`ask.now`)}))`;
}

/**
 * The package, if it belongs to the given contact: by e-mail address, or by phone without another address; with a
 * publishable key by both. The buyer is known by the typed contact, and by the customer's record only if that is confirmed.
 * Every other case is the same 422, so that no caller can probe for packages.
 */
export function requireOwnPackage(ctx: WriteCtx, owned: OwnedPackage | null, contact: Contact): OwnedPackage {
  const given = {
    email: contact.email?.toLowerCase() ?? null,
    last9: contact.phone === null ? null : phoneLast9(contact.phone),
  };
  const isKnownBy = (marks: Marks | null) => {
    const email = given.email !== null && given.email === marks?.email;
    const phone = given.last9 !== null && given.last9 === marks?.last9;
    return ctx.actor.type === "publishable" ? email && phone : email || phone;
  };
  const emails = [owned?.typed.email, owned?.record?.email].filter((email) => email != null);
  const isAnothers = given.email !== null && emails.length > 0 && !emails.includes(given.email);
  if (owned === null || isAnothers || !(isKnownBy(owned.typed) || isKnownBy(owned.record)))
    throw new Problem("package_not_found");
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
