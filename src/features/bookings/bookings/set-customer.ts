import { eq, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { newCustomer } from "#features/customers";
import { Problem } from "#shared/problem.ts";
import { bookingPackages, bookings } from "#tables/bookings";
import { ERASED } from "./contact.ts";
import { CUSTOMER_GONE, requireCustomer } from "./known-customer.ts";
import type { BookingParams } from "./schema.ts";
import type { BookingCustomer } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";

/**
 * Says whose lesson it is: confirms that the contact is a customer, or parts it from one and makes a new customer of it. Its
 * contact stays. The answer shows the customer's record: throws 403 where the key may not read it.
 */
export async function setBookingCustomer(
  ctx: Ctx,
  { id }: BookingParams,
  { customer_id: customerId }: BookingCustomer,
): Promise<StaffBookingRow> {
  if (customerId === null) requireScope(ctx, "customers:read", "diary:read", "settings:read");
  else requireScope(ctx, "customers:read");
  const here = eq(bookings.id, id);
  const { contactName } = bookings;
  const typed = customerId === null ? await typedContact(ctx, here) : null;
  const customer =
    typed === null
      ? { statements: [requireCustomer(customerId ?? 0)], id: sql<number>`${customerId}` }
      : newCustomer(ctx, typed, "booking");
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${here})`, "not_found"),
      ...customer.statements,
      ctx.db
        .update(bookings)
        .set({ customerId: customer.id, customerConfirmed: 1, updatedAt: ctx.now })
        // What an erasure has taken since is no customer.
        .where(typed === null ? here : sql`${here} AND ${contactName} = ${typed.name}`),
      refuseIfNone(typed === null ? "not_found" : "invalid_status"),
      refuseWhen(sql`EXISTS (${paidByAnother(here)})`, "package_not_found"),
    ],
    selectStaffBookings(ctx, here),
    CUSTOMER_GONE,
  );
}

async function typedContact(ctx: Ctx, here: SQL) {
  const { contactName: name, contactEmail: email, contactPhone: phone, contactLanguage: language } = bookings;
  const [[found]] = await read(ctx, [
    ctx.db.select({ name, email, phone, language }).from(bookings).where(here),
  ]);
  if (found === undefined) throw new Problem("not_found");
  if (found.name === null || found.name === ERASED) throw new Problem("invalid_status");
  const nowhere = { address: null, city: null, state: null, pincode: null, country: ctx.company.country };
  return { ...found, ...nowhere, name: found.name };
}

/** A package pays for its owner's lessons. */
function paidByAnother(here: SQL): SQL {
  return sql`SELECT 1 FROM ${bookings} JOIN ${bookingPackages} ON ${bookingPackages.id} = ${bookings.bookingPackageId}
    WHERE ${here} AND ${bookingPackages.customerId} <> ${bookings.customerId}`;
}
