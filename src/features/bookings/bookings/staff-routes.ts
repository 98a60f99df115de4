import { Router } from "#api/operations/operation.ts";
import { CREDITING_PROBLEMS } from "#shared/payments/refunds.ts";
import { invoiceBooking } from "../receipts/invoice-later.ts";
import { cancelByStaff } from "./cancel.ts";
import { createStaffBooking } from "./create-by-staff.ts";
import { newBookingExample, staffBookingExample } from "./examples.ts";
import { listBookings } from "./list-bookings.ts";
import { rescheduleByStaff } from "./reschedule.ts";
import { BookingParams, MOVE_PROBLEMS, StaffBookingPatch, WISH_PROBLEMS } from "./schema.ts";
import { setBookingCustomer } from "./set-customer.ts";
import { getStaffBooking, updateBooking } from "./staff-bookings.ts";
import {
  BookingCustomer,
  StaffBookingCancel,
  StaffBookingCreate,
  StaffBookingQuery,
  StaffBookingReschedule,
} from "./staff-schema.ts";
import { renderStaffBooking, staffBooking } from "./staff-snapshot.ts";

const { customer: _customer, ...staffWish } = newBookingExample;

const shown = { result: staffBooking.schema, render: renderStaffBooking };
const reading = { scope: "settings:read", orScopes: ["diary:read"], ...shown } as const;
const writing = { scope: "settings:write", orScopes: ["diary:write"], ...shown } as const;

export const bookingStaffRoutes = new Router("Settings: Bookings by staff")
  .list(
    {
      id: "listBookings",
      path: "/settings/:company/bookings",
      summary: "List the bookings",
      description: "Newest first, or by start. Each with its customer and its gateway payments.",
      ...reading,
      query: StaffBookingQuery,
      example: { query: { payment_status: "refund_due" }, result: staffBookingExample },
      sort: (row) => [row.listed_at, row.id],
    },
    listBookings,
  )
  .add(
    {
      id: "createStaffBooking",
      method: "post",
      changes: ["booking", "package", "customer", "invoice", "payment"],
      path: "/settings/:company/bookings",
      summary: "Book a lesson on behalf of a customer",
      description:
        "Books as a booking page does. Staff may also confirm it at once, mark it as paid elsewhere, book at short notice, and send the customer no notification. A taken time is always refused. The answer shows the customer, so the key also needs a scope that reads bookings, and `customers:read` for a `customer_id`.",
      ...writing,
      body: StaffBookingCreate,
      takesBlanks: true,
      status: 201,
      problems: [...WISH_PROBLEMS, "payment_mode_inactive"],
      example: {
        body: { ...staffWish, start_time: "09:00", customer_id: "1", status: "confirmed", notify: false },
        result: {
          ...staffBookingExample,
          ...{ start_time: "09:00", end_time: "10:00", status: "confirmed" as const },
          ...{ hold_expires_at: null, payments: [] },
        },
      },
    },
    createStaffBooking,
  )
  .add(
    {
      id: "getStaffBooking",
      method: "get",
      path: "/settings/:company/bookings/:id",
      summary: "Read a booking with its customer",
      ...reading,
      params: BookingParams,
      example: { result: staffBookingExample },
    },
    getStaffBooking,
  )
  .add(
    {
      id: "updateBooking",
      method: "patch",
      changes: ["booking", "package", "invoice", "payment", "credit_note"],
      path: "/settings/:company/bookings/:id",
      summary: "Confirm, complete or settle a booking",
      description:
        "For what a school does itself: it confirms a booking that is not paid online, records how a lesson ended, and records money that moved elsewhere.",
      ...writing,
      params: BookingParams,
      body: StaffBookingPatch,
      problems: [
        "no_accepted_fields",
        "invalid_status",
        "payment_mode_inactive",
        "has_credit_notes",
        "has_gateway_refunds",
        "return_filed",
        "period_locked",
        "slot_unavailable",
        "slot_overlaps_own",
      ],
      example: {
        body: { status: "confirmed" },
        result: { ...staffBookingExample, status: "confirmed", hold_expires_at: null },
      },
    },
    updateBooking,
  )
  .add(
    {
      id: "cancelStaffBooking",
      takesNoOther: true,
      method: "post",
      changes: ["booking", "package", "refund", "invoice", "payment", "credit_note"],
      path: "/settings/:company/bookings/:id/cancel",
      summary: "Cancel a booking on behalf of a customer",
      description:
        "Cancels as the customer can. With `force`, also inside the cancellation window. With `refund`, sends back what was paid through a gateway, also of a lesson that the rule `refund_on_cancel` leaves out. Where a part went back by a credit note, another credit note gives back the rest.",
      ...writing,
      params: BookingParams,
      body: StaffBookingCancel,
      problems: [
        "invalid_status",
        "cancel_window_passed",
        "refund_exceeds_payment",
        "credit_note_required",
        ...CREDITING_PROBLEMS,
      ],
      example: {
        body: { reason: "The car is in the workshop", force: true },
        result: {
          ...staffBookingExample,
          status: "cancelled",
          cancel_reason: "The car is in the workshop",
          hold_expires_at: null,
        },
      },
    },
    cancelByStaff,
  )
  .add(
    {
      id: "rescheduleStaffBooking",
      method: "post",
      changes: ["booking"],
      path: "/settings/:company/bookings/:id/reschedule",
      summary: "Move a booking on behalf of a customer",
      description:
        "Moves as the customer can. With `force`, also inside the cancellation window, at short notice and beyond the advance window. A taken time is always refused.",
      ...writing,
      params: BookingParams,
      body: StaffBookingReschedule,
      problems: MOVE_PROBLEMS,
      example: {
        body: { booking_date: "2026-12-01", start_time: "16:00", notify: true },
        result: { ...staffBookingExample, start_time: "16:00", end_time: "17:00" },
      },
    },
    rescheduleByStaff,
  )
  .add(
    {
      id: "invoiceBooking",
      method: "post",
      changes: ["invoice", "payment"],
      path: "/settings/:company/bookings/:id/invoice",
      summary: "Issue the invoice of a booking that has a receipt",
      description:
        "For a school that issues no invoices for lessons, and a customer who asks for one. The invoice, dated today, takes the place of the receipt, whose entry is reversed: a receipt voucher is adjusted by it. Asks also for `invoices:write`.",
      ...writing,
      params: BookingParams,
      problems: ["invalid_status", "return_filed", "period_locked", "number_exhausted"],
      example: { result: { ...staffBookingExample, status: "confirmed", payment_status: "paid" } },
    },
    invoiceBooking,
  )
  .add(
    {
      id: "setBookingCustomer",
      method: "post",
      changes: ["booking", "package", "customer"],
      path: "/settings/:company/bookings/:id/customer",
      summary: "Set the customer of a booking",
      description:
        "A booking matches a customer by typed data that anybody may know: an e-mail address or digits of a phone number. With a `customer_id`, this call confirms that the booking's contact is that customer. With null, it separates the booking from the matched customer and creates a new customer from the contact. A package bought with the booking moves too. Messages still go to the contact. The answer shows the customer, so the key also needs a scope that reads bookings, and `customers:read` for a `customer_id`.",
      ...writing,
      params: BookingParams,
      body: BookingCustomer,
      problems: ["invalid_status", "package_not_found"],
      example: { body: { customer_id: "1" }, result: staffBookingExample },
    },
    setBookingCustomer,
  );
