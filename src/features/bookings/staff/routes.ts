import { Router } from "#contract/operation.ts";
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
  payments: [
    {
      gateway: "razorpay" as const,
      status: "created" as const,
      amount: bookingExample.total_amount,
      currency: bookingExample.currency,
      gateway_order_id: "order_R1b2C3d4E5f6G7",
      gateway_payment_id: null,
      other_payment_ids: [],
      created_at: "2026-11-21T09:30:00.000Z",
      paid_at: null,
    },
  ],
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
      description: "Those made last first, with their customers and what was paid through gateways.",
      scope: "settings:read",
      query: StaffBookingQuery,
      result: StaffBooking,
      envelope: "data",
      status: 200,
      problems: [],
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
        "slot_overlaps_own",
      ],
      example: {
        body: { status: "confirmed" },
        result: { ...staffBookingExample, status: "confirmed", hold_expires_at: null },
      },
      render: renderStaffBooking,
    },
    updateBooking,
  );
