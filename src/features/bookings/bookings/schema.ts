import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { isPhone } from "#shared/contact/phone.ts";
import { clockTime, endTime } from "#shared/fields/clock-time.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, phoneText, postalCode } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { BookingPayment, returnAddress } from "../payments/snapshot.ts";
import { duration } from "../schema.ts";
import { booked } from "./snapshot.ts";

const BOOKING_ID = /^bkg_[a-z2-7]{26}$/;

export const customer = z
  .object({
    name: cleanText({ min: 1, max: 255 }),
    email: emailOf(255).nullable().optional(),
    phone: phoneText({ min: 1, max: 30 })
      .refine(isPhone, { error: "must be a phone number", params: { code: "invalid_phone" } })
      .nullable()
      .optional(),
    postcode: postalCode({ max: 10 }).nullable().optional(),
    city: cleanText({ max: 100 }).nullable().optional(),
    language: cleanText({ max: 35 }).nullable().optional().meta({
      description:
        "A language tag such as `hi-IN`. A new customer gets messages in this language if the company sends it: `en`, `hi`.",
    }),
  })
  .refine(({ email, phone }) => email != null || phone != null, {
    path: ["email"],
    error: "or phone is required",
  })
  .describe(
    "The API matches a customer by e-mail address, then by the last 9 digits of the phone. Without a match it creates one. Messages go to the contact in this request, never to the matched customer.",
  );

/** What is booked, and when. */
export const wish = {
  instructor_id: idReference,
  product_id: idReference
    .nullable()
    .optional()
    .meta({ description: "The course. It sets price and length. Not needed with a package." }),
  service_location_id: idReference.nullable().optional().describe("The id of a location."),
  booking_date: isoDate.describe("In the school's time zone."),
  start_time: clockTime.describe("`HH:MM` in the school's time zone."),
  end_time: endTime.nullable().optional().describe("Default: the start plus the lesson's length."),
  duration_minutes: z.int().min(duration.min).max(duration.max).nullable().optional().meta({
    description:
      "Default: the time up to `end_time`, then the course's length, then the default slot length. At most the course's length; of a course without one, from a browser, twice the default slot length. Staff may exceed it. The price stays the course's.",
  }),
  pickup_address: cleanMultilineText({ max: 500 }).nullable().optional(),
  student_notes: cleanMultilineText({ max: 2_000 }).nullable().optional().describe("For the instructor."),
  booking_package_id: idReference.nullable().optional().meta({
    description:
      "Uses a session of a prepaid package; the booking is confirmed at once. An e-mail address that is sent must be that of the package's holder or buyer; without one, the phone must be. From a browser both must be theirs.",
  }),
};

/** The codes that a wish is refused with. */
export const WISH_PROBLEMS = [
  "invalid_instructor",
  "invalid_product",
  "slot_not_offered",
  "nonexistent_time",
  "end_time_mismatch",
  "duration_not_offered",
  "package_not_found",
  "package_exhausted",
  "slot_unavailable",
  "slot_overlaps_own",
] as const;
/** The codes that a move to another time is refused with. */
export const MOVE_PROBLEMS = [
  "invalid_instructor",
  "slot_not_offered",
  "nonexistent_time",
  "slot_unavailable",
  "slot_overlaps_own",
  "invalid_status",
  "cancel_window_passed",
] as const;

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
      description:
        "The visitor returns to this address after the payment. `{booking_id}` in it becomes the booking's id. Together with `cancel_url` it starts the payment at once.",
    }),
    cancel_url: returnAddress.nullable().optional().describe("Where the visitor goes who does not pay."),
    visitor: z.string().max(100).nullable().optional().meta({
      description:
        "The visitor token from `/start`. Default: the header `X-Visitor`. An expired token counts as none.",
    }),
    turnstile_token: z.string().max(2_048).nullable().optional().meta({
      description: "The token of the solved Turnstile puzzle, if the API asked for it.",
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
  .meta({ description: "True: also inside the cancellation window. Only with a secret key." });
export const BookingCancel = z.object({ reason: cleanText({ max: 500 }).nullable().optional(), force });
export const BookingReschedule = z.object({
  booking_date: isoDate.describe("In the school's time zone."),
  start_time: clockTime.describe("`HH:MM` in the school's time zone."),
  instructor_id: idReference.optional().meta({ description: "Default: the same instructor." }),
  force,
});
export const BookingParams = z.object({
  id: z.string().regex(BOOKING_ID).meta({ description: "The booking's id, `bkg_...`." }),
});

export const Booking = booked.schema;
export const manageUrl = z.string().meta({
  format: "uri",
  description:
    "The booking's own page. Any person who has the address can pay, move or cancel the booking there.",
});
export const NewBooking = Booking.extend({ manage_url: manageUrl }).meta({ id: "NewBooking" });
export const BookingResult = z
  .object({ success: z.literal(true), booking: NewBooking, payment: BookingPayment })
  .meta({ id: "BookingResult" });

export const MODE_WORDS = "With `payment_status` `paid`: how the money came. Default: cash.";
export const StaffBookingPatch = patchOf(
  z.object({
    status: z.enum(["confirmed", "completed", "no_show", "cancelled"]).meta({
      description:
        "Confirm a pending or expired booking. After a confirmed booking has begun, end it with one of the other values. If it is cancelled, a payment is due for refund and a package gets its session back.",
    }),
    payment_status: z.enum(["paid", "refunded"]).meta({
      description:
        "`paid`: paid outside this service, or marked as refunded by mistake: then the money of a cancelled booking is due back. `refunded`: the money due was given back, or the payment of a lesson that has begun.",
    }),
    payment_mode_id: idReference.meta({
      description: `${MODE_WORDS} With \`refunded\`: how money that a gateway took was given back. Default: at the gateway.`,
    }),
    needs_review: z.literal(false).describe("False: staff have reviewed a payment that did not fit."),
  }),
);
const person = { name: z.string(), email: z.string().nullable(), phone: z.string().nullable() };
/** The customer that a booking was matched with. */
export const BookingCustomer = z.object({ id: z.string(), ...person });
/** Who booked. */
export const BookingContact = z.object(person).nullable().meta({
  description:
    "The contact that was typed at booking; messages go there. If staff named the customer, the customer's own contact. Null once it is erased.",
});
export type BookingCreate = z.infer<typeof BookingCreate>;
export type BookingCancel = z.infer<typeof BookingCancel>;
export type BookingReschedule = z.infer<typeof BookingReschedule>;
export type BookingParams = z.infer<typeof BookingParams>;
export type StaffBookingPatch = z.infer<typeof StaffBookingPatch>;
