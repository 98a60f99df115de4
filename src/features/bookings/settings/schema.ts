import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { duration, timestamp } from "../schema.ts";

const minutes = (min: number, max: number) => z.int().min(min).max(max);

const settings = z.object({
  timezone: timeZone.nullable().meta({ description: "IANA name of the time zone. Null: the company's." }),
  slot_length_minutes: minutes(duration.min, duration.max).meta({
    description: "The length of a lesson if nothing else sets it.",
  }),
  slot_step_minutes: minutes(5, duration.max)
    .nullable()
    .meta({ description: "The time from one start to the next. Null: the slot length." }),
  buffer_minutes: minutes(0, duration.max).meta({ description: "Free time between two bookings." }),
  min_notice_minutes: minutes(0, 44_640).meta({
    description: "How long before its start a slot closes for booking.",
  }),
  advance_days: minutes(0, 366).meta({ description: "How many days ahead a lesson can be booked." }),
  hold_minutes: minutes(1, 1_440).meta({ description: "How long a slot is held for an online payment." }),
  pending_hours: minutes(0, 8_784).meta({
    description: "How long a booking that is not paid online waits for confirmation. 0: forever.",
  }),
  cancel_window_hours: minutes(0, 8_784).meta({
    description: "A booking can be cancelled or moved until this long before its start.",
  }),
  default_radius_km: z
    .number()
    .min(0.1)
    .max(1_000)
    .meta({ description: "The radius of a service area that sets none." }),
  confirm_free: z.boolean().meta({
    description:
      "True: a free lesson booked from a browser needs an e-mail address. It is held for 30 minutes, until the visitor opens the link in the e-mail and confirms.",
  }),
});
const MODES = ["off", "risky", "always"] as const;
const turnstile = z
  .object({
    mode: z.enum(MODES).meta({
      description:
        "Which visitors of a booking page must solve the puzzle. `off`: no visitor. `risky`: visitors whose address has several unpaid holds. `always`: every visitor.",
    }),
    site_key: cleanText({ min: 1, max: 100 })
      .nullable()
      .meta({ description: "The site key of Turnstile, which is public." }),
    secret: cleanText({ min: 1, max: 200 }).nullable().meta({ description: "Write-only." }),
  })
  .partial()
  .meta({ description: "The Turnstile puzzle. It applies to publishable keys only." });
export const BookingSettingsPatch = patchOf(settings.extend({ turnstile }));
export const BookingSettings = z
  .object({
    timezone: z.string(),
    currency: z.string(),
    slot_length_minutes: z.int(),
    slot_step_minutes: z.int(),
    buffer_minutes: z.int(),
    min_notice_minutes: z.int(),
    advance_days: z.int(),
    hold_minutes: z.int(),
    pending_hours: z.int(),
    cancel_window_hours: z.int(),
    default_radius_km: z.number(),
    online_payment_enabled: z
      .boolean()
      .meta({ description: "Whether a payment gateway takes the currency." }),
    confirm_free: z.boolean().meta({ description: "Whether a free lesson is confirmed by e-mail." }),
    updated_at: timestamp,
  })
  .meta({ id: "BookingSettings" });

/** The rules as staff see them. */
export const StaffBookingSettings = BookingSettings.extend({
  turnstile: z.object({
    mode: z.enum(MODES),
    site_key: z.string().nullable(),
    secret: z.object({ configured: z.boolean(), last_four: z.string().nullable() }),
  }),
}).meta({ id: "StaffBookingSettings" });

export type BookingSettingsPatch = z.infer<typeof BookingSettingsPatch>;
