import { Router } from "#contract/operation.ts";
import { packageResource } from "../packages/resource.ts";
import { staffBookingExample } from "./examples.ts";
import { bookingResource } from "./resource.ts";
import { BookingParams, StaffBooking, StaffBookingPatch, StaffBookingQuery } from "./schema.ts";
import { getStaffBooking, listBookings, updateBooking } from "./staff-bookings.ts";
import { renderStaffBooking } from "./staff-snapshot.ts";

export const bookingStaffRoutes = new Router("Settings: Bookings by staff")
  .list(
    {
      id: "listBookings",
      method: "get",
      path: "/settings/:company/bookings",
      summary: "List the bookings",
      description: "Those made last first, with their customers and what was paid through gateways.",
      scope: "settings:read",
      query: StaffBookingQuery,
      result: StaffBooking,
      example: { query: { payment_status: "refund_due" }, result: staffBookingExample },
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
      example: { result: staffBookingExample },
      render: renderStaffBooking,
    },
    getStaffBooking,
  )
  .add(
    {
      id: "updateBooking",
      method: "patch",
      changes: [bookingResource, packageResource],
      path: "/settings/:company/bookings/:id",
      summary: "Confirm, complete or settle a booking",
      description:
        "What a school does itself: confirms what is not paid online, tells how a lesson ended, notes money that moved elsewhere.",
      scope: "settings:write",
      params: BookingParams,
      body: StaffBookingPatch,
      result: StaffBooking,
      problems: ["no_accepted_fields", "invalid_status", "slot_unavailable", "slot_overlaps_own"],
      example: {
        body: { status: "confirmed" },
        result: { ...staffBookingExample, status: "confirmed", hold_expires_at: null },
      },
      render: renderStaffBooking,
    },
    updateBooking,
  );
