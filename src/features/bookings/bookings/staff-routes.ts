import { Router } from "#contract/operation.ts";
import { customerResource } from "#features/customers";
import { packageResource } from "../packages/resource.ts";
import { cancelByStaff } from "./cancel.ts";
import { createStaffBooking } from "./create-by-staff.ts";
import { newBookingExample, staffBookingExample } from "./examples.ts";
import { listBookings } from "./list-bookings.ts";
import { rescheduleByStaff } from "./reschedule.ts";
import { bookingResource } from "./resource.ts";
import { BookingParams, StaffBooking, StaffBookingPatch } from "./schema.ts";
import { getStaffBooking, updateBooking } from "./staff-bookings.ts";
import {
  StaffBookingCancel,
  StaffBookingCreate,
  StaffBookingQuery,
  StaffBookingReschedule,
} from "./staff-schema.ts";
import { renderStaffBooking } from "./staff-snapshot.ts";

const { customer: _customer, ...staffWish } = newBookingExample;

export const bookingStaffRoutes = new Router("Settings: Bookings by staff")
  .list(
    {
      id: "listBookings",
      method: "get",
      path: "/settings/:company/bookings",
      summary: "List the bookings",
      description:
        "Those made last first, or by their start; with their customers and what was paid through gateways.",
      scope: "settings:read",
      orScopes: ["diary:read"],
      query: StaffBookingQuery,
      result: StaffBooking,
      example: { query: { payment_status: "refund_due" }, result: staffBookingExample },
      render: renderStaffBooking,
      sort: (row) => [row.listed_at, row.id],
    },
    listBookings,
  )
  .add(
    {
      id: "createStaffBooking",
      method: "post",
      changes: [bookingResource, packageResource, customerResource],
      path: "/settings/:company/bookings",
      summary: "Book a lesson on behalf of a customer",
      description:
        "As a booking page would, or confirmed at once, paid elsewhere, at short notice, and without telling the customer. Never a time that is taken. The answer shows the customer, so the key also needs a scope that reads bookings, and for a `customer_id` `customers:read`.",
      scope: "settings:write",
      orScopes: ["diary:write"],
      body: StaffBookingCreate,
      result: StaffBooking,
      status: 201,
      problems: [
        "invalid_instructor",
        "invalid_product",
        "slot_not_offered",
        "nonexistent_time",
        "end_time_mismatch",
        "duration_mismatch",
        "package_not_found",
        "package_exhausted",
        "slot_unavailable",
        "slot_overlaps_own",
      ],
      example: {
        body: { ...staffWish, customer_id: "42", status: "confirmed", notify: false },
        result: { ...staffBookingExample, status: "confirmed", hold_expires_at: null, payments: [] },
      },
      render: renderStaffBooking,
    },
    createStaffBooking,
  )
  .add(
    {
      id: "getStaffBooking",
      method: "get",
      path: "/settings/:company/bookings/:id",
      summary: "Read a booking with its customer",
      scope: "settings:read",
      orScopes: ["diary:read"],
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
      orScopes: ["diary:write"],
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
  )
  .add(
    {
      id: "cancelStaffBooking",
      method: "post",
      changes: [bookingResource, packageResource],
      path: "/settings/:company/bookings/:id/cancel",
      summary: "Cancel a booking on behalf of a customer",
      description: "As the customer would; with `force` inside the cancellation window too.",
      scope: "settings:write",
      orScopes: ["diary:write"],
      params: BookingParams,
      body: StaffBookingCancel,
      result: StaffBooking,
      problems: ["invalid_status", "cancel_window_passed"],
      example: {
        body: { reason: "The car is in the workshop", force: true },
        result: {
          ...staffBookingExample,
          status: "cancelled",
          cancel_reason: "The car is in the workshop",
          hold_expires_at: null,
        },
      },
      render: renderStaffBooking,
    },
    cancelByStaff,
  )
  .add(
    {
      id: "rescheduleStaffBooking",
      method: "post",
      changes: [bookingResource],
      path: "/settings/:company/bookings/:id/reschedule",
      summary: "Move a booking on behalf of a customer",
      description:
        "As the customer would; with `force` inside the cancellation window, at short notice and beyond the advance window too. Never to a time that is taken.",
      scope: "settings:write",
      orScopes: ["diary:write"],
      params: BookingParams,
      body: StaffBookingReschedule,
      result: StaffBooking,
      problems: [
        "invalid_instructor",
        "slot_not_offered",
        "nonexistent_time",
        "slot_unavailable",
        "slot_overlaps_own",
        "invalid_status",
        "cancel_window_passed",
      ],
      example: {
        body: { booking_date: "2026-12-01", start_time: "14:00", notify: true },
        result: { ...staffBookingExample, start_time: "14:00", end_time: "15:00" },
      },
      render: renderStaffBooking,
    },
    rescheduleByStaff,
  );
