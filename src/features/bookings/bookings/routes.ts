import { Router } from "#contract/operation.ts";
import { customerResource } from "#features/customers";
import { packageResource } from "../packages/resource.ts";
import { payBooking } from "../payments/pay.ts";
import { BookingPay, BookingPayment } from "../payments/schema.ts";
import { renderPayment } from "../payments/snapshot.ts";
import { cancelBooking } from "./cancel.ts";
import { createBooking, renderBookingResult } from "./create.ts";
import { bookingExample, manageUrlExample, newBookingExample, paymentExample } from "./examples.ts";
import { getBooking } from "./get.ts";
import { rescheduleBooking } from "./reschedule.ts";
import { bookingResource } from "./resource.ts";
import {
  Booking,
  BookingCancel,
  BookingCreate,
  BookingParams,
  BookingReschedule,
  BookingResult,
} from "./schema.ts";
import { renderBooking } from "./snapshot.ts";

export const bookingRoutes = new Router("Bookings")
  .add(
    {
      id: "createBooking",
      method: "post",
      changes: [bookingResource, packageResource, customerResource],
      path: "/schools/:company/bookings",
      summary: "Book a lesson",
      description:
        "Confirmed at once with a package; else pending until the payment gateway confirms the payment. With `return_url` and `cancel_url` the payment is started in the same call. Where no gateway takes the currency, the booking stays pending and `payment.online_payment_enabled` is false.",
      scope: "bookings.write",
      keys: "any",
      body: BookingCreate,
      result: BookingResult,
      envelope: "flat",
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
        "too_many_holds",
        "captcha_required",
        "captcha_failed",
      ],
      example: {
        body: newBookingExample,
        result: {
          success: true,
          booking: { ...bookingExample, manage_url: manageUrlExample },
          payment: { ...paymentExample, gateway: null, payment_url: null, payment_data: null },
        },
      },
      render: renderBookingResult,
    },
    createBooking,
  )
  .add(
    {
      id: "getBooking",
      method: "get",
      path: "/schools/:company/bookings/:id",
      summary: "Read a booking",
      description: "Its id is all that its holder needs; it shows nothing of the customer.",
      scope: "bookings.read",
      keys: "any",
      params: BookingParams,
      result: Booking,
      envelope: { success: "booking" },
      example: { result: bookingExample },
      render: renderBooking,
    },
    getBooking,
  )
  .add(
    {
      id: "payBooking",
      method: "post",
      changes: [bookingResource, packageResource],
      path: "/schools/:company/bookings/:id/pay",
      summary: "Pay a booking",
      description:
        "Starts or retries the payment of a pending booking. The first time it holds the slot anew, also after the hold ran out while the slot is free; later it is 409 `invalid_status` once the hold is over.",
      scope: "bookings.write",
      keys: "any",
      params: BookingParams,
      body: BookingPay,
      result: BookingPayment,
      envelope: { success: "payment" },
      problems: [
        "already_paid",
        "invalid_status",
        "slot_unavailable",
        "slot_overlaps_own",
        "online_payment_not_enabled",
        "payment_gateway_error",
      ],
      example: {
        body: {
          return_url: "https://book.example.com/thanks",
          cancel_url: "https://book.example.com/cancelled",
        },
        result: paymentExample,
      },
      render: renderPayment,
    },
    payBooking,
  )
  .add(
    {
      id: "cancelBooking",
      method: "post",
      changes: [bookingResource, packageResource],
      path: "/schools/:company/bookings/:id/cancel",
      summary: "Cancel a booking",
      description:
        "Frees the slot, gives a package its session back, and marks what was paid as due back. Inside the cancellation window only a secret key can, with `force`; what is not confirmed and not paid can be cancelled until it starts.",
      scope: "bookings.write",
      keys: "any",
      params: BookingParams,
      body: BookingCancel,
      result: Booking,
      envelope: { success: "booking" },
      problems: ["invalid_status", "cancel_window_passed"],
      example: {
        body: { reason: "Unwell" },
        result: { ...bookingExample, status: "cancelled", hold_expires_at: null },
      },
      render: renderBooking,
    },
    cancelBooking,
  )
  .add(
    {
      id: "rescheduleBooking",
      method: "post",
      changes: [bookingResource],
      path: "/schools/:company/bookings/:id/reschedule",
      summary: "Move a booking to another time",
      description:
        "Where the other time is refused, the booking stays where it was. Inside the cancellation window only a secret key can, with `force`.",
      scope: "bookings.write",
      keys: "any",
      params: BookingParams,
      body: BookingReschedule,
      result: Booking,
      envelope: { success: "booking" },
      problems: [
        "invalid_instructor",
        "slot_not_offered",
        "nonexistent_time",
        "slot_unavailable",
        "slot_overlaps_own",
        "invalid_status",
        "cancel_window_passed",
        "too_many_holds",
      ],
      example: {
        body: { booking_date: "2026-12-01", start_time: "14:00" },
        result: { ...bookingExample, start_time: "14:00", end_time: "15:00" },
      },
      render: renderBooking,
    },
    rescheduleBooking,
  );
