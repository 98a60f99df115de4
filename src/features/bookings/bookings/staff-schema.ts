import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { booleanParameter, wordsParameter } from "#shared/fields/query.ts";
import { cleanText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import {
  Booking,
  BookingCancel,
  BookingReschedule,
  COURSE_MISSING,
  customer,
  namesCourse,
  wish,
} from "./schema.ts";

const MOST_DAYS = 62;
const { status, payment_status: paymentStatus } = Booking.shape;

export const StaffBookingQuery = z
  .object({
    booking_date: isoDate.optional().meta({ description: "Only the lessons of this date." }),
    from: isoDate.optional().meta({ description: "The first date of the lessons, in the school's zone." }),
    to: isoDate.optional().meta({ description: `The last one, at most ${MOST_DAYS} days after \`from\`.` }),
    instructor_id: idReference.optional(),
    customer_id: idReference.optional(),
    status: wordsParameter(status.options).optional().meta({
      description: "One or more, parted by commas; as of now: a hold that ran out is `expired`.",
    }),
    payment_status: wordsParameter(paymentStatus.options).optional().meta({
      description: "One or more, parted by commas: `refund_due` lists whom money is owed.",
    }),
    needs_review: booleanParameter.optional().meta({ description: "Whether somebody has to look at it." }),
    outside_hours: booleanParameter.optional().meta({
      description: "True: only lessons to come that their instructor does not give any more.",
    }),
    q: cleanText({ min: 1, max: 100 })
      .optional()
      .meta({ description: "A booking number, or part of the customer's name, e-mail address or phone." }),
    order: z.enum(["created", "start"]).default("created").meta({
      description: "`created`: those made last first. `start`: by their start, the earliest first.",
    }),
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

const notify = z
  .boolean()
  .optional()
  .meta({ description: "False: the customer is not told of it. True by default." });

export const StaffBookingCreate = z
  .object({
    customer: customer.optional(),
    customer_id: idReference.optional().meta({ description: "In place of `customer`, where known." }),
    ...wish,
    status: z.enum(["pending", "confirmed"]).default("pending").meta({
      description: "Confirmed: it stands, and is paid later or elsewhere. Pending: held as for anybody.",
    }),
    payment_status: z
      .literal("paid")
      .optional()
      .meta({ description: "Of a confirmed one: it was paid outside of this service." }),
    force: z
      .boolean()
      .optional()
      .meta({ description: "Within the minimum notice and beyond the advance window too." }),
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
  description: "Inside the cancellation window too; moving, also to a time past the booking rules.",
});
export const StaffBookingCancel = BookingCancel.extend({ force, notify });
export const StaffBookingReschedule = BookingReschedule.extend({ force, notify });

export type StaffBookingQuery = z.infer<typeof StaffBookingQuery>;
export type StaffBookingCreate = z.infer<typeof StaffBookingCreate>;
export type StaffBookingCancel = z.infer<typeof StaffBookingCancel>;
export type StaffBookingReschedule = z.infer<typeof StaffBookingReschedule>;
