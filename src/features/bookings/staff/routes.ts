import { Router } from "#http/operation.ts";
import { bookingExample, newBookingExample } from "../examples.ts";
import { BookingParams } from "../reservations/schema.ts";
import { getStaffBooking, listBookings, renderStaffBooking, updateBooking } from "./bookings.ts";
import { StaffBooking, StaffBookingPatch, StaffBookingQuery } from "./schema.ts";

const { name, email, phone } = newBookingExample.customer;
const staffBookingExample = {
  ...bookingExample,
  customer: { id: "42", name, email, phone },
  product_id: newBookingExample.product_id,
  service_location_id: null,
  booking_package_id: null,
  pickup_address: newBookingExample.pickup_address,
  student_notes: null,
  cancel_reason: null,
  needs_review: false,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const staffRoutes = new Router("Settings: Bookings by staff")
  .list(
    {
      id: "listBookings",
      method: "get",
      path: "/settings/:company/bookings",
      summary: "List the bookings",
      description: "Those made last first, with their customers.",
      scope: "settings:read",
      query: StaffBookingQuery,
      result: StaffBooking,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: staffBookingExample },
      render: renderStaffBooking,
      sort: (row) => [row.created_at, row.id],
    },
    listBookings,
  )
  .add(
    {
      id: "getStaffBooking",
      method: "get",
      path: "/settings/:company/bookings/:id",
      summary: "Read a booking with its customer",
      scope: "settings:read",
      params: BookingParams,
      result: StaffBooking,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: staffBookingExample },
      render: renderStaffBooking,
    },
    getStaffBooking,
  )
  .add(
    {
      id: "updateBooking",
      method: "patch",
      path: "/settings/:company/bookings/:id",
      summary: "Confirm, complete or settle a booking",
      description:
        "What a school does itself: confirms what is not paid online, tells how a lesson ended, notes money that moved elsewhere.",
      scope: "settings:write",
      params: BookingParams,
      body: StaffBookingPatch,
      result: StaffBooking,
      envelope: "data",
      status: 200,
      problems: [
        "not_found",
        "validation_failed",
        "no_accepted_fields",
        "invalid_status",
        "slot_unavailable",
      ],
      example: {
        body: { status: "confirmed" },
        result: { ...staffBookingExample, status: "confirmed", hold_expires_at: null },
      },
      render: renderStaffBooking,
    },
    updateBooking,
  );
