import { Router } from "#api/operations/operation.ts";
import { settingsExample } from "./examples.ts";
import { getBookingSettings } from "./get.ts";
import { BookingSettings } from "./schema.ts";
import { renderSettings } from "./snapshot.ts";

export const bookingSettingsRoutes = new Router("Bookings").add(
  {
    id: "getSchoolSettings",
    method: "get",
    path: "/schools/:company/settings",
    summary: "Read the booking rules",
    scope: "bookings.read",
    keys: "any",
    result: BookingSettings,
    envelope: { success: "settings" },
    example: { result: settingsExample },
    render: renderSettings,
  },
  getBookingSettings,
);
