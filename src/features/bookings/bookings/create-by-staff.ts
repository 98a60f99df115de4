import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { isLive } from "#features/customers";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { readInLine, write } from "./create.ts";
import type { StaffBookingCreate } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import { ofPayer, type Terms } from "./terms.ts";

/**
 * Books a lesson on behalf of a customer: as anybody would, or confirmed, paid elsewhere, at short notice, in silence. The
 * answer shows the customer's record: throws 403 where the key may not read it.
 */
export async function createStaffBooking(
  ctx: Ctx,
  _params: unknown,
  {
    customer,
    customer_id: customerId,
    status,
    payment_status: payment,
    force,
    notify,
    ...wish
  }: StaffBookingCreate,
): Promise<StaffBookingRow> {
  if (customerId === undefined) requireScope(ctx, "customers:read", "diary:read", "settings:read");
  else requireScope(ctx, "customers:read");
  const basis = await readInLine(ctx, wish);
  const terms: Terms = {
    // Limits are for those who book without being known.
    payer: null,
    ...(customer === undefined ? ofCustomer(customerId ?? 0) : ofPayer(ctx, { customer })),
    confirmed: status === "confirmed",
    paid: payment === "paid",
    force: force === true,
    untold: notify === false,
  };
  return write(ctx, wish, terms, basis, (where: SQL) => selectStaffBookings(ctx, where));
}

/** The terms of a customer who is known by id. */
function ofCustomer(id: number): Pick<Terms, "contact" | "customer" | "requirePackage" | "refusals"> {
  const live = sql`SELECT 1 FROM ${customers} WHERE ${customers.id} = ${id} AND ${isLive}`;
  return {
    contact: null,
    customer: () => ({
      statements: [refuseWhen(sql`NOT EXISTS (${live})`, "customer_gone")],
      id: sql`${id}`,
      confirmed: sql`${1}`,
    }),
    requirePackage: (found) => {
      if (found?.customer_id !== id) throw new Problem("package_not_found");
      return found;
    },
    refusals: { customer_gone: () => fieldProblem("customer_id", "not_found", "names no customer") },
  };
}
