import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { readOne } from "#platform/read-records.ts";
import { timestampToWire } from "#shared/dates.ts";
import { type SettingsRow, settingsJson, zoneOf } from "./sheet.ts";

/** The SELECT of the booking rules. */
export const selectSettings = () => sql<SettingsRow>`SELECT ${settingsJson()} AS snapshot`;

export function getBookingSettings(ctx: Ctx): Promise<SettingsRow> {
  return readOne(ctx, selectSettings());
}

export function renderSettings(row: SettingsRow, ctx: Ctx) {
  return {
    ...row,
    timezone: zoneOf(ctx, row),
    currency: ctx.company.currency,
    slot_step_minutes: row.slot_step_minutes ?? row.slot_length_minutes,
    updated_at: timestampToWire(row.updated_at),
  };
}
