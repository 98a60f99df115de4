import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, Ctx, ReadCtx } from "#core/context.ts";
import { added, dateTime, described, flag, from, internal, nullable } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { hasGateway } from "#features/gateway-payments";
import { bookingSettings } from "#tables/bookings";

export const REFUND_POLICIES = ["off", "full"] as const;
export const PUZZLE_MODES = ["off", "risky", "always"] as const;
type Puzzle = {
  turnstile_mode: (typeof PUZZLE_MODES)[number];
  turnstile_site_key: string | null;
  turnstile_hint: string | null;
};
type Company = Pick<Ctx, "company">;
type Zoned = { own_timezone: string | null };

/** The booking rules as staff see them. */
export const staffSettings = record(
  bookingSettings,
  {
    id: internal<number>(),
    timezone: added(z.string().describe("IANA name."), (row: Zoned, ctx: Company) => zoneOf(ctx, row)),
    own_timezone: from(bookingSettings.timezone, internal<string | null>()),
    currency: added(z.string(), (_row: unknown, { company }: Company) => company.currency),
    slot_length_minutes: z.int().describe("The length of a lesson if nothing else sets it."),
    slot_step_minutes: added(z.int().describe("From one start to the next."), stepOf),
    own_step_minutes: from(bookingSettings.slotStepMinutes, internal<number | null>()),
    buffer_minutes: z.int().describe("What stays free between two bookings."),
    min_notice_minutes: z.int().describe("How long before its start a slot closes for booking."),
    advance_days: z.int().describe("The most days ahead that a lesson can be booked."),
    hold_minutes: z.int().describe("How long an unpaid slot is held."),
    pending_hours: z.int().describe("A booking without online payment waits this long; 0: for ever."),
    cancel_window_hours: z
      .int()
      .describe("Until this long before its start a booking can be moved or cancelled."),
    default_radius_km: z.number().describe("The radius of a service area that sets none."),
    online_payment_enabled: added(
      z.boolean().meta({ description: "Whether a payment gateway takes the currency." }),
      (row: { id: number; online_payment_enabled?: number }) => row.online_payment_enabled === 1,
    ),
    confirm_free: described(flag, "Whether a free lesson is confirmed by e-mail."),
    issue_invoices: described(
      nullable(flag),
      "True: the payment of a lesson issues its invoice; false: a receipt; null: as the tax registration says.",
    ),
    refund_on_cancel: z
      .enum(REFUND_POLICIES)
      .describe("`full`: who cancels in time gets the money back at once; `off`: staff give it back."),
    updated_at: dateTime,
    turnstile: added(
      z.object({
        mode: z.enum(PUZZLE_MODES).describe("When visitors solve the puzzle that keeps robots out."),
        site_key: z.string().nullable().describe("The public key of Turnstile."),
        secret: z.object({ configured: z.boolean(), last_four: z.string().nullable() }),
      }),
      ({ turnstile_mode: mode, turnstile_site_key, turnstile_hint: hint }: Puzzle) => ({
        mode,
        site_key: turnstile_site_key,
        secret: { configured: hint !== null, last_four: hint },
      }),
    ),
    turnstile_mode: internal<Puzzle["turnstile_mode"]>(),
    turnstile_site_key: internal<string | null>(),
    turnstile_hint: internal<string | null>(),
  },
  "StaffBookingSettings",
);
/** The booking rules as a booking page sees them. */
export const pageSettings = staffSettings.omit("turnstile", "issue_invoices", "refund_on_cancel");
export const BookingSettings = pageSettings.schema.meta({ id: "BookingSettings" });
export type SettingsRow = RowOf<typeof staffSettings>;
/** The booking settings, and whether a gateway takes the company's currency. */
export type PageSettings = SettingsRow & { online_payment_enabled: number };

export const bookingSettingsRoutes = new Router("Bookings", "/settings").get(
  { getSchoolSettings: getBookingSettings },
  "/",
  {
    summary: "Read the booking rules",
    keys: "any",
    record: { schema: BookingSettings, render: pageSettings.render },
    envelope: { success: "settings" },
  },
);

export function getBookingSettings(ctx: CallCtx): Promise<PageSettings> {
  return readOne(ctx, selectSettings(ctx));
}

/** The booking settings, as JSON. */
export const settingsJson = once(
  () => sql<SettingsRow>`json((SELECT ${staffSettings.columns()} FROM ${bookingSettings}))`,
);

/** The SELECT of the booking settings. */
export const selectSettings = (ctx: ReadCtx) =>
  sql<PageSettings>`SELECT json_set(${settingsJson()}, '$.online_payment_enabled', ${hasGateway(ctx.company.currency)}) AS snapshot`;

/** The zone that the school's times are in. */
export function zoneOf({ company }: Company, { own_timezone }: Zoned): string {
  return own_timezone ?? company.timezone;
}

/** The minutes from one start to the next. */
export function stepOf(row: { own_step_minutes: number | null; slot_length_minutes: number }): number {
  return row.own_step_minutes ?? row.slot_length_minutes;
}
