import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { isPhone } from "#shared/contact/phone.ts";
import { clockTime } from "#shared/fields/clock-time.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { GatewayPayment } from "#shared/payments/gateway-payment.ts";
import { isoDate } from "#shared/time/dates.ts";
import { BookingPayment, returnAddress } from "../payments/schema.ts";
import { duration, timestamp } from "../schema.ts";

const BOOKING_ID = /^bkg_[a-z2-7]{26}$/;

export const customer = z
  .object({
    name: cleanText({ min: 1, max: 255 }),
    email: emailOf(255).nullable().optional(),
    phone: cleanText({ min: 1, max: 30 })
      .refine(isPhone, { error: "must be a phone number", params: { code: "invalid_phone" } })
      .nullable()
      .optional(),
    postcode: cleanText({ max: 10 }).nullable().optional(),
    city: cleanText({ max: 100 }).nullable().optional(),
    language: cleanText({ max: 35 }).nullable().optional().meta({
      description:
        "A tag such as `hi-IN`. A customer who is created is written to in it, where the company sends it: `en`, `hi`.",
    }),
  })
  .refine(({ email, phone }) => email != null || phone != null, {
    path: ["email"],
    error: "or phone is required",
  })
  .meta({ description: "Matched by e-mail address, else by the last 9 digits of the phone; else created." });

/** What is booked, and when. */
export const wish = {
  instructor_id: idReference,
  product_id: idReference
    .nullable()
    .optional()
    .meta({ description: "The course, which sets price and length; not needed with a package." }),
  service_location_id: idReference.nullable().optional(),
  booking_date: isoDate,
  start_time: clockTime,
  end_time: clockTime.nullable().optional().meta({ description: "By default from the course's length." }),
  duration_minutes: z
    .int()
    .min(duration.min)
    .max(duration.max)
    .nullable()
    .optional()
    .meta({ description: "Must be the course's length where it has one." }),
  pickup_address: cleanMultilineText({ max: 500 }).nullable().optional(),
  student_notes: cleanMultilineText({ max: 2_000 }).nullable().optional(),
  booking_package_id: idReference
    .nullable()
    .optional()
    .meta({ description: "Uses a session of a pre-paid package: confirmed at once." }),
};

type Named = { product_id?: number | null | undefined; booking_package_id?: number | null | undefined };

/** Whether the course is named, by itself or by the package that pays for it. */
export const namesCourse = ({ product_id: product, booking_package_id: bought }: Named) =>
  product != null || bought != null;
export const COURSE_MISSING = {
  path: ["product_id"],
  params: { code: "required" },
  error: "is required",
};

export const BookingCreate = z
  .object({
    customer,
    ...wish,
    return_url: returnAddress.nullable().optional().meta({
      description: "With `cancel_url`: starts the payment at once. Where the visitor comes back to.",
    }),
    cancel_url: returnAddress.nullable().optional(),
    visitor: z.string().max(100).nullable().optional().meta({
      description:
        "The token of `/start`, of a booking page; one that does not hold any more counts as none.",
    }),
    turnstile_token: z.string().max(2_048).nullable().optional().meta({
      description: "What Turnstile's puzzle gave the visitor, once it was asked for.",
    }),
  })
  .refine(namesCourse, COURSE_MISSING)
  .refine(({ return_url: back, cancel_url: cancel }) => (back == null) === (cancel == null), {
    path: ["cancel_url"],
    error: "and return_url are sent together",
  });
const force = z
  .boolean()
  .optional()
  .meta({ description: "Inside the cancellation window too; with a secret key only." });
export const BookingCancel = z.object({ reason: cleanText({ max: 500 }).nullable().optional(), force });
export const BookingReschedule = z.object({
  booking_date: isoDate,
  start_time: clockTime,
  instructor_id: idReference.optional().meta({ description: "By default the instructor stays." }),
  force,
});
export const BookingParams = z.object({
  id: z.string().regex(BOOKING_ID).meta({ description: "The booking's id, `bkg_...`." }),
});

export const Booking = z
  .object({
    id: z.string(),
    booking_number: z.string(),
    status: z.enum(["pending", "confirmed", "completed", "cancelled", "no_show", "expired"]),
    payment_status: z.enum(["unpaid", "paid", "refund_due", "refunded"]),
    total_amount: z.number(),
    currency: z.string(),
    booking_date: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    timezone: z.string().meta({ description: "IANA name of the zone that its times are in." }),
    hold_expires_at: z
      .string()
      .nullable()
      .meta({ format: "date-time", description: "Until when the slot is kept unpaid." }),
    instructor: z.object({ id: z.int(), name: z.string() }),
  })
  .meta({ id: "Booking" });
const manageUrl = z.string().nullable().meta({
  format: "uri",
  description:
    "The booking's own page, where its customer pays, moves or cancels it: whoever has the address may. Null for some days after an upgrade, for bookings from long before.",
});
export const NewBooking = Booking.extend({ manage_url: manageUrl }).meta({ id: "NewBooking" });
export const BookingResult = z
  .object({ success: z.literal(true), booking: NewBooking, payment: BookingPayment })
  .meta({ id: "BookingResult" });

export const StaffBookingPatch = patchOf(
  z.object({
    status: z.enum(["confirmed", "completed", "no_show", "cancelled"]).meta({
      description:
        "A pending or expired booking is confirmed; a confirmed one, once begun, ends as one of the others. Cancelled, what was paid is due back and a package has its session back.",
    }),
    payment_status: z.enum(["paid", "refunded"]).meta({
      description:
        "Paid: outside of this service. Refunded: what was due back, or what was paid for a lesson that has begun.",
    }),
    needs_review: z.literal(false).meta({ description: "A payment that did not fit has been looked at." }),
  }),
);
export const StaffBooking = Booking.extend({
  customer: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  }),
  product_id: z.int(),
  service_location_id: z.int().nullable(),
  booking_package_id: z.int().nullable(),
  pickup_address: z.string().nullable(),
  student_notes: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  manage_url: manageUrl,
  needs_review: z.boolean().meta({ description: "A payment came twice, or of another amount." }),
  payments: z
    .array(GatewayPayment)
    .meta({ description: "The payments that were started at gateways, oldest first." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "StaffBooking" });

export type BookingCreate = z.infer<typeof BookingCreate>;
export type BookingCancel = z.infer<typeof BookingCancel>;
export type BookingReschedule = z.infer<typeof BookingReschedule>;
export type BookingParams = z.infer<typeof BookingParams>;
export type StaffBookingPatch = z.infer<typeof StaffBookingPatch>;
