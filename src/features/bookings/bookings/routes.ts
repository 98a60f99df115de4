import { Router } from "#api/operations/operation.ts";
import { payBooking } from "../payments/pay.ts";
import { BookingPay, BookingPayment, renderPayment } from "../payments/snapshot.ts";
import { cancelBooking } from "./cancel.ts";
import { createBooking, renderBookingResult } from "./create.ts";
import { getBooking } from "./get-booking.ts";
import { bookingIds } from "./insert.ts";
import { rescheduleBooking } from "./reschedule.ts";
import {
  Booking,
  BookingCancel,
  BookingCreate,
  BookingParams,
  BookingReschedule,
  BookingResult,
  MOVE_PROBLEMS,
  WISH_PROBLEMS,
} from "./schema.ts";
import { renderBooking } from "./snapshot.ts";

export const bookingRoutes = new Router("Bookings", "/bookings", {
  record: { schema: Booking, render: renderBooking },
  params: BookingParams,
  keys: "any",
})
  .create({ createBooking }, "/", {
    changes: ["booking", "package", "customer"],
    summary: "Book a lesson",
    description:
      "With a package, the booking is confirmed at once. Otherwise it is pending until the payment gateway confirms the payment. With `return_url` and `cancel_url`, the same call starts the payment. If no gateway takes the currency, the booking stays pending and `payment.online_payment_enabled` is false. A free lesson is confirmed at once. If the settings have `confirm_free`, it is held for 30 minutes until its e-mail address is confirmed.\n\nA taken slot is always 409 `slot_unavailable`. Unpaid bookings from browsers have limits. A visitor holds 3, counting those given up within 24 hours: paying gives room, cancelling does not. Without a `visitor` token, a customer holds 3 from one address. An address holds 10 at once. Of an instructor's day it holds 3 lessons or a quarter of the working time; lessons longer than the default slot length take at most half of that time, but the first lesson of a day is always possible. With a solved puzzle an address holds 50, and half a day. An IPv6 /56 holds 100 and half a day, a /48 1,000 and three quarters. Above a limit the answer is 422 `captcha_required` if a puzzle helps. Otherwise it is 429 `too_many_holds` with `limit` (`own`, `address` or `day`), `retry_after` and the school's `phone`. Keys of servers have no such limits.",
    body: BookingCreate,
    takesBlanks: true,
    record: { schema: BookingResult, render: renderBookingResult },
    envelope: "flat",
    externalIds: bookingIds,
    problems: [...WISH_PROBLEMS, "too_many_holds", "captcha_required", "captcha_failed"],
  })
  .get({ getBooking }, "/:id", {
    summary: "Read a booking",
    description:
      "The booking's id is enough to read it. The answer has no data of the customer. `invoice_url` is shown to the visitor who booked, by the token of `/start`, and to keys with `invoices:read`.",
    envelope: { success: "booking" },
  })
  .post({ payBooking }, "/:id/pay", {
    changes: ["booking", "package"],
    summary: "Pay a booking",
    description:
      "Starts or retries the payment of a pending booking. The first call holds the slot again, even after the hold ran out, if the slot is still free. Later calls are 409 `invalid_status` once the hold is over.",
    body: BookingPay,
    record: { schema: BookingPayment, render: renderPayment },
    envelope: { success: "payment" },
    problems: [
      "already_paid",
      "invalid_status",
      "slot_unavailable",
      "slot_overlaps_own",
      "online_payment_not_enabled",
      "payment_gateway_error",
    ],
  })
  .post({ cancelBooking }, "/:id/cancel", {
    changes: ["booking", "package", "refund", "invoice", "payment", "credit_note"],
    summary: "Cancel a booking",
    description:
      "Frees the slot, returns the session to its package, and marks a payment as due for refund. Inside the cancellation window, only a secret key with `force` can cancel. A booking that is neither confirmed nor paid can be cancelled until it starts.",
    body: BookingCancel,
    envelope: { success: "booking" },
    problems: ["invalid_status", "cancel_window_passed"],
  })
  .post({ rescheduleBooking }, "/:id/reschedule", {
    changes: ["booking"],
    summary: "Move a booking to another time",
    description:
      "If the new time is refused, the booking does not change. Inside the cancellation window, only a secret key with `force` can move it. A visitor moves a booking three times until it is paid or its e-mail address is confirmed, then the answer is 429 `too_many_moves`.",
    body: BookingReschedule,
    envelope: { success: "booking" },
    problems: [...MOVE_PROBLEMS, "too_many_holds", "too_many_moves"],
  });
