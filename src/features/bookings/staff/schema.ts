import * as z from "zod";
import { isoDate } from "#shared/dates.ts";
import { GatewayPayment } from "#shared/gateway-payment.ts";
import { patchOf } from "#shared/patch.ts";
import { wordsParameter } from "#shared/query.ts";
import { Booking } from "../reservations/schema.ts";
import { timestamp } from "../schema.ts";

const { status, payment_status: paymentStatus } = Booking.shape;
export const StaffBookingQuery = z.object({
  booking_date: isoDate.optional().meta({ description: "Only the lessons of this date." }),
  status: wordsParameter(status.options).optional().meta({
    description: "One or more, parted by commas; as of now: a hold that ran out is `expired`.",
  }),
  payment_status: wordsParameter(paymentStatus.options).optional().meta({
    description: "One or more, parted by commas: `refund_due` lists whom money is owed.",
  }),
});
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
  needs_review: z.boolean().meta({ description: "A payment came twice, or of another amount." }),
  payments: z
    .array(GatewayPayment)
    .meta({ description: "The payments that were started at gateways, oldest first." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "StaffBooking" });

export type StaffBookingQuery = z.infer<typeof StaffBookingQuery>;
export type StaffBookingPatch = z.infer<typeof StaffBookingPatch>;
