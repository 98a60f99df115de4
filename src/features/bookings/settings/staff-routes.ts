import { Router } from "#api/operations/operation.ts";
import { staffSettingsExample } from "./examples.ts";
import { getBookingSettings } from "./get.ts";
import { BookingSettingsPatch, StaffBookingSettings } from "./schema.ts";
import { renderStaffSettings } from "./snapshot.ts";
import { updateBookingSettings } from "./update.ts";

export const bookingSettingsStaffRoutes = new Router("Settings: Booking rules and locations")
  .add(
    {
      id: "getBookingSettings",
      method: "get",
      path: "/settings/:company/booking-settings",
      summary: "Read the booking rules",
      scope: "settings:read",
      result: StaffBookingSettings,
      example: { result: staffSettingsExample },
      render: renderStaffSettings,
    },
    getBookingSettings,
  )
  .add(
    {
      id: "updateBookingSettings",
      method: "patch",
      changes: [],
      path: "/settings/:company/booking-settings",
      summary: "Change the booking rules",
      description: "Existing bookings do not change.",
      scope: "settings:write",
      body: BookingSettingsPatch,
      result: StaffBookingSettings,
      problems: ["no_accepted_fields"],
      example: { body: { buffer_minutes: 30 }, result: { ...staffSettingsExample, buffer_minutes: 30 } },
      render: renderStaffSettings,
    },
    updateBookingSettings,
  );
