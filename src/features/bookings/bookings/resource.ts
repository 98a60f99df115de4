import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { staffBookingExample } from "./examples.ts";
import { renderStaffBooking, selectStaffBookings, staffBooking } from "./staff-snapshot.ts";
import { bookings } from "./tables.ts";

/** The data of booking events: all that the school knows of a booking. */
export const bookingResource = resource({
  name: "booking",
  scope: "settings:read",
  record: staffBooking.schema,
  example: staffBookingExample,
  select: (moment, id) => selectStaffBookings(moment, sql`${bookings.id} = ${id}`),
  render: renderStaffBooking,
});
