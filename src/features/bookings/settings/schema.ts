import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { duration, timestamp } from "../schema.ts";

const minutes = (min: number, max: number) => z.int().min(min).max(max);

const settings = z.object({
  timezone: timeZone
    .nullable()
    .meta({ description: "IANA name of the zone that times are in. Null: the company's." }),
  slot_length_minutes: minutes(duration.min, duration.max).meta({
    description: "Length of a lesson where nothing else says it.",
  }),
  slot_step_minutes: minutes(5, duration.max)
    .nullable()
    .meta({ description: "From one start to the next. Null: the slot length." }),
  buffer_minutes: minutes(0, duration.max).meta({ description: "Free time between two bookings." }),
  min_notice_minutes: minutes(0, 44_640).meta({ description: "How long before its start a slot closes." }),
  advance_days: minutes(0, 366).meta({ description: "How many days ahead can be booked." }),
  hold_minutes: minutes(1, 1_440).meta({ description: "How long a slot is held for an online payment." }),
  pending_hours: minutes(0, 8_784).meta({
    description: "How long a booking that is not paid online waits to be confirmed. 0: for ever.",
  }),
  cancel_window_hours: minutes(0, 8_784).meta({
    description: "Up to how long before its start a booking can be cancelled or moved.",
  }),
  default_radius_km: z
    .number()
    .min(0.1)
    .max(1_000)
    .meta({ description: "Radius of a service area that names none." }),
});
const MODES = ["off", "risky", "always"] as const;
const turnstile = z
  .object({
    mode: z.enum(MODES).meta({
      description:
        "Whom a booking page's visitors show that they are people: nobody; who shares an address with several unpaid holds; everybody.",
    }),
    site_key: cleanText({ min: 1, max: 100 })
      .nullable()
      .meta({ description: "Turnstile's public key of the site." }),
    secret: cleanText({ min: 1, max: 200 }).nullable().meta({ description: "Write-only." }),
  })
  .partial()
  .meta({ description: "Turnstile's puzzle, of publishable keys only." });
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
    online_payment_enabled: z.boolean().meta({ description: "Whether a gateway takes the currency." }),
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
