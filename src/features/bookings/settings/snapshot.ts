import { sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { hasGateway } from "#features/gateway-payments";
import { timestampToWire } from "#shared/time/dates.ts";
import { bookingSettings } from "./tables.ts";

const shape = {
  id: bookingSettings.id,
  timezone: bookingSettings.timezone,
  slot_length_minutes: bookingSettings.slotLengthMinutes,
  slot_step_minutes: bookingSettings.slotStepMinutes,
  buffer_minutes: bookingSettings.bufferMinutes,
  min_notice_minutes: bookingSettings.minNoticeMinutes,
  advance_days: bookingSettings.advanceDays,
  hold_minutes: bookingSettings.holdMinutes,
  pending_hours: bookingSettings.pendingHours,
  cancel_window_hours: bookingSettings.cancelWindowHours,
  default_radius_km: bookingSettings.defaultRadiusKm,
  confirm_free: bookingSettings.confirmFree,
  turnstile_mode: bookingSettings.turnstileMode,
  turnstile_site_key: bookingSettings.turnstileSiteKey,
  turnstile_hint: bookingSettings.turnstileHint,
  updated_at: bookingSettings.updatedAt,
};
/** The booking settings as the database holds them. */
export type SettingsRow = JsonRow<typeof shape>;

/** The booking settings, as JSON. */
export const settingsJson = once(
  () => sql<SettingsRow>`json((SELECT ${jsonObject(shape)} FROM ${bookingSettings}))`,
);

/** The booking settings, and whether a gateway takes the company's currency. */
export type PageSettings = SettingsRow & { online_payment_enabled: number };

/** The SELECT of the booking settings. */
export const selectSettings = (ctx: ReadCtx) =>
  sql<PageSettings>`SELECT json_set(${settingsJson()}, '$.online_payment_enabled', ${hasGateway(ctx.company.currency)}) AS snapshot`;

export function renderSettings(row: PageSettings, ctx: ReadCtx) {
  return {
    ...row,
    online_payment_enabled: row.online_payment_enabled === 1,
    confirm_free: row.confirm_free === 1,
    timezone: zoneOf(ctx, row),
    currency: ctx.company.currency,
    slot_step_minutes: row.slot_step_minutes ?? row.slot_length_minutes,
    updated_at: timestampToWire(row.updated_at),
  };
}

/** The rules with what staff alone see. */
export function renderStaffSettings(row: PageSettings, ctx: ReadCtx) {
  const { turnstile_mode: mode, turnstile_site_key: siteKey, turnstile_hint: hint } = row;
  return {
    ...renderSettings(row, ctx),
    turnstile: {
      mode,
      site_key: siteKey,
      secret: { configured: hint !== null, last_four: hint },
    },
  };
}

/** The zone that the school's times are in. */
export function zoneOf(ctx: Pick<Ctx, "company">, settings: Pick<SettingsRow, "timezone">): string {
  return settings.timezone ?? ctx.company.timezone;
}
