import { Router } from "#api/operations/operation.ts";
import { CREDITING_PROBLEMS } from "#shared/payments/refunds.ts";
import { invoiceBooking } from "../receipts/invoice-later.ts";
import { cancelByStaff } from "./cancel.ts";
import { createStaffBooking } from "./create-by-staff.ts";
import { bookingIds } from "./insert.ts";
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

export const bookingStaffRoutes = new Router("Settings: Bookings by staff", "/bookings", {
  record: { schema: staffBooking.schema, render: renderStaffBooking },
  params: BookingParams,
})
  .list({ listBookings }, "/", {
    summary: "List the bookings",
    description: "Newest first, or by start. Each with its customer and its gateway payments.",
    query: StaffBookingQuery,
  })
  .create({ createStaffBooking }, "/", {
    changes: ["booking", "package", "customer", "invoice", "payment"],
    summary: "Book a lesson on behalf of a customer",
    description:
      "Books as a booking page does. Staff may also confirm it at once, mark it as paid elsewhere, book at short notice, and send the customer no notification. A taken time is always refused. The answer shows the customer, so the key also needs a scope that reads bookings, and `customers:read` for a `customer_id`.",
    body: StaffBookingCreate,
    takesBlanks: true,
    externalIds: bookingIds,
    problems: [...WISH_PROBLEMS, "payment_mode_inactive"],
  })
  .get({ getStaffBooking }, "/:id", {
    summary: "Read a booking with its customer",
  })
  .patch({ updateBooking }, "/:id", {
    changes: ["booking", "package", "invoice", "payment", "credit_note"],
    summary: "Confirm, complete or settle a booking",
    description:
      "For what a school does itself: it confirms a booking that is not paid online, records how a lesson ended, and records money that moved elsewhere.",
    body: StaffBookingPatch,
    problems: [
      "invalid_status",
      "payment_mode_inactive",
      "has_credit_notes",
      "has_gateway_refunds",
      "return_filed",
      "period_locked",
      "slot_unavailable",
      "slot_overlaps_own",
    ],
  })
  .post({ cancelStaffBooking: cancelByStaff }, "/:id/cancel", {
    takesNoOther: true,
    changes: ["booking", "package", "refund", "invoice", "payment", "credit_note"],
    summary: "Cancel a booking on behalf of a customer",
    description:
      "Cancels as the customer can. With `force`, also inside the cancellation window. With `refund`, sends back what was paid through a gateway, also of a lesson that the rule `refund_on_cancel` leaves out. Where a part went back by a credit note, another credit note gives back the rest.",
    body: StaffBookingCancel,
    problems: [
      "invalid_status",
      "cancel_window_passed",
      "refund_exceeds_payment",
      "credit_note_required",
      ...CREDITING_PROBLEMS,
    ],
  })
  .post({ rescheduleStaffBooking: rescheduleByStaff }, "/:id/reschedule", {
    changes: ["booking"],
    summary: "Move a booking on behalf of a customer",
    description:
      "Moves as the customer can. With `force`, also inside the cancellation window, at short notice and beyond the advance window. A taken time is always refused.",
    body: StaffBookingReschedule,
    problems: MOVE_PROBLEMS,
  })
  .post({ invoiceBooking }, "/:id/invoice", {
    changes: ["invoice", "payment"],
    summary: "Issue the invoice of a booking that has a receipt",
    description:
      "For a school that issues no invoices for lessons, and a customer who asks for one. The invoice, dated today, takes the place of the receipt, whose entry is reversed: a receipt voucher is adjusted by it. Asks also for `invoices:write`.",
    problems: ["invalid_status", "return_filed", "period_locked", "number_exhausted"],
  })
  .post({ setBookingCustomer }, "/:id/customer", {
    changes: ["booking", "package", "customer"],
    summary: "Set the customer of a booking",
    description:
      "A booking matches a customer by typed data that anybody may know: an e-mail address or digits of a phone number. With a `customer_id`, this call confirms that the booking's contact is that customer. With null, it separates the booking from the matched customer and creates a new customer from the contact. A package bought with the booking moves too. Messages still go to the contact. The answer shows the customer, so the key also needs a scope that reads bookings, and `customers:read` for a `customer_id`.",
    body: BookingCustomer,
    problems: ["invalid_status", "package_not_found"],
  });
