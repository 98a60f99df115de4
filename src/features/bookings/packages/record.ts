import * as z from "zod";
import type { ReadCtx } from "#core/context.ts";
import { added, dateTime, described, flag, idText, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { bookingPackages } from "#tables/bookings";

type Sessions = { sessions_total: number; sessions_used: number };

/** Prepaid lessons of a customer. */
export const bookingPackage = record(
  bookingPackages,
  {
    id: z.int(),
    customer_id: idText,
    customer_confirmed: described(
      flag,
      "True: the buyer is confirmed as that customer. Until then, only the contact that the buyer typed can use and list the package.",
    ),
    product_id: z.int().describe("The package as a product."),
    name: z.string(),
    sessions_total: z.int(),
    sessions_used: z.int().describe("Lessons that were taken or booked."),
    sessions_remaining: added(z.int(), (row: Sessions) => row.sessions_total - row.sessions_used),
    expires_at: described(nullable(dateTime), "Null: never."),
    status: z.enum(["active", "expired", "cancelled"]),
    order_id: z.int().nullable().meta({ description: "The order that bought it." }),
    booking_id: z
      .string()
      .nullable()
      .meta({ description: "The booking that bought it. Its lesson is the first session." }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "BookingPackage",
);
export type PackageRow = RowOf<typeof bookingPackage>;

/** A package as it is now: expired once its time is over. */
export function renderPackage(row: PackageRow, ctx: ReadCtx) {
  const expired = row.status === "active" && row.expires_at !== null && row.expires_at <= ctx.now;
  return { ...bookingPackage.render(row), ...(expired ? { status: "expired" as const } : {}) };
}
