import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { staffBookingExample } from "./examples.ts";
import { StaffBooking } from "./schema.ts";
import { renderStaffBooking, selectStaffBookings } from "./staff-snapshot.ts";
import { bookings } from "./tables.ts";

/** What events tell of bookings: all that the school knows of them. */
export const bookingResource = resource({
  name: "booking",
  scope: "settings:read",
  record: StaffBooking,
  example: staffBookingExample,
  select: (moment, id) => selectStaffBookings(moment, sql`${bookings.id} = ${id}`),
  render: renderStaffBooking,
  upgrades: [(row: object) => ({ ...row, public_token: null })],
});
