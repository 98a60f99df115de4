import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { booleanParameter, wordsParameter } from "#shared/fields/query.ts";
import { searchText } from "#shared/fields/text.ts";
import { REFUND_STATES } from "#shared/payments/refunds.ts";
import { isoDate } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import {
  Booking,
  BookingCancel,
  BookingReschedule,
  COURSE_MISSING,
  customer,
  MODE_WORDS,
  namesCourse,
  wish,
} from "./schema.ts";

const MOST_DAYS = 62;
const { status, payment_status: paymentStatus } = Booking.shape;

export const StaffBookingQuery = z
  .object({
    booking_date: isoDate.optional(),
    from: isoDate.optional().meta({ description: "The first date of the lessons, in the school's zone." }),
    to: isoDate.optional().meta({ description: `The last date, at most ${MOST_DAYS} days after \`from\`.` }),
    instructor_id: idReference.optional(),
    customer_id: idReference.optional(),
    status: wordsParameter(status.options)
      .optional()
      .describe("One or more, separated by commas. The status as of now: a hold that ran out is `expired`."),
    payment_status: wordsParameter(paymentStatus.options).optional().meta({
      description:
        "One or more, separated by commas. `refund_due` lists bookings whose customer is owed money.",
    }),
    refund_status: z
      .enum(REFUND_STATES)
      .optional()
      .meta({ description: "What of all that came went back through gateways." }),
    needs_review: booleanParameter.optional(),
    outside_hours: booleanParameter.optional().meta({
      description: "True: only coming lessons that do not fit their instructor's working times.",
    }),
    q: searchText.optional().meta({
      description:
        "A booking number, or part of a name, e-mail address or phone: of the customer, or of the typed contact.",
    }),
    order: z.enum(["created", "start"]).default("created").meta({
      description: "`created`: newest first. `start`: earliest start first. `sort` comes before it.",
    }),
    ...recordFilters,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    error: "must not be before from",
  })
  .refine(
    ({ from, to }) =>
      from === undefined || to === undefined || Date.parse(to) - Date.parse(from) <= MOST_DAYS * DAY_MS,
    { path: ["to"], params: { code: "too_big" }, error: `must be at most ${MOST_DAYS} days after from` },
  );

const notify = z.boolean().optional().describe("False: the customer gets no notification. Default: true.");

export const StaffBookingCreate = z
  .object({
    customer: customer.optional(),
    customer_id: idReference.optional().describe("The id of a known customer, instead of `customer`."),
    ...wish,
    status: z.enum(["pending", "confirmed"]).default("pending").meta({
      description:
        "`confirmed`: the booking is final, and is paid later or elsewhere. `pending`: a hold, as from a booking page.",
    }),
    payment_status: z
      .literal("paid")
      .optional()
      .meta({ description: "`paid`, for a confirmed booking: it was paid outside this service." }),
    payment_mode_id: idReference.optional().meta({ description: MODE_WORDS }),
    force: z
      .boolean()
      .optional()
      .meta({ description: "True: also within the minimum notice and beyond the advance window." }),
    notify,
  })
  .refine(({ customer: given, customer_id: id }) => (given === undefined) !== (id === undefined), {
    path: ["customer_id"],
    params: { code: "required" },
    error: "or customer is required, not both",
  })
  .refine(({ status: one, payment_status: paid }) => paid === undefined || one === "confirmed", {
    path: ["payment_status"],
    error: "goes with a confirmed booking",
  })
  .refine(namesCourse, COURSE_MISSING);
const force = z.boolean().optional().meta({
  description:
    "True: also inside the cancellation window. When moving, also to a time outside the booking rules.",
});
export const StaffBookingCancel = BookingCancel.extend({
  force,
  notify,
  refund: z.boolean().optional().meta({
    description:
      "True: what was paid through a gateway goes back at once; asks also for `refunds:write`. Default: it is due back.",
  }),
});
export const StaffBookingReschedule = BookingReschedule.extend({ force, notify });
export const BookingCustomer = z.object({
  customer_id: idReference.nullable().meta({
    description: "The customer of the lesson. Null: create a new customer from the typed contact.",
  }),
});

export type StaffBookingQuery = z.infer<typeof StaffBookingQuery>;
export type StaffBookingCreate = z.infer<typeof StaffBookingCreate>;
export type StaffBookingCancel = z.infer<typeof StaffBookingCancel>;
export type BookingCustomer = z.infer<typeof BookingCustomer>;
export type StaffBookingReschedule = z.infer<typeof StaffBookingReschedule>;
