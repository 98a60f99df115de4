import { eq, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { read } from "#core/write/replay.ts";
import { modeInactive, selectModeOrCash } from "#features/payments";
import { Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { bookPayment } from "../receipts/book-payment.ts";
import { buyerOf, numberOf, selectCourse, selectSeller } from "../receipts/sale.ts";
import { book, readInLine } from "./create.ts";
import { CUSTOMER_GONE, requireCustomer } from "./known-customer.ts";
import type { StaffBookingCreate } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import { type BookingWish, ofPayer, payerOf, type Terms } from "./terms.ts";

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
    payment_mode_id: modeId,
    force,
    notify,
    ...wish
  }: StaffBookingCreate,
): Promise<StaffBookingRow> {
  if (customerId === undefined) requireScope(ctx, "customers:read", "diary:read", "settings:read");
  else requireScope(ctx, "customers:read");
  const [basis, booked] = await Promise.all([
    readInLine(ctx, wish),
    payment === "paid" ? bookedByStaff(ctx, wish, { customer, customerId, modeId }) : undefined,
  ]);
  const terms: Terms = {
    // Limits are for those who book without being known.
    payer: null,
    ...(customer === undefined ? ofCustomer(customerId ?? 0) : ofPayer(ctx, { customer })),
    staff: { status, payment_status: payment, force, notify },
    ...(booked === undefined ? {} : { booked }),
  };
  return book(ctx, wish, terms, basis, (where: SQL) => selectStaffBookings(ctx, where));
}

type Paid = Pick<StaffBookingCreate, "customer"> & Record<"customerId" | "modeId", number | undefined>;

/** Reads what the document of a payment is made from, beside what decides on the booking. */
async function bookedByStaff(
  ctx: Ctx,
  { product_id: productId }: BookingWish,
  { customer: typed, customerId, modeId }: Paid,
): Promise<Terms["booked"]> {
  const [[course], [seller], [mode], [record]] = await read(ctx, [
    selectCourse({ id: productId ?? null }),
    selectSeller({}),
    selectModeOrCash({ id: modeId ?? null }),
    ctx.db
      .select()
      .from(customers)
      .where(eq(customers.id, customerId ?? 0)),
  ]);
  if (mode === undefined) throw modeInactive();
  if (course === undefined || seller === undefined) return undefined;
  const { product, issueInvoices } = course;
  const buyer = buyerOf(ctx, typed === undefined ? null : payerOf({ customer: typed }), record);
  const { currency } = ctx.company;
  return (paid) =>
    bookPayment(
      ctx,
      {
        ...paid,
        customerId: sql<number>`${paid.customerId}`,
        bookingNumber: numberOf(paid.bookingId),
        currency,
        product,
        buyer,
      },
      { seller, issueInvoices, way: { mode } },
    );
}

/** The terms of a customer who is known by id. */
function ofCustomer(id: number): Pick<Terms, "contact" | "customer" | "requirePackage" | "refusals"> {
  return {
    contact: null,
    customer: () => ({ statements: [requireCustomer(id)], id: sql`${id}`, confirmed: sql`${1}` }),
    requirePackage: (found) => {
      if (found?.customer_id !== id) throw new Problem("package_not_found");
      return found;
    },
    refusals: CUSTOMER_GONE,
  };
}
