import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { timestampToWire } from "#shared/dates.ts";
import { type SettingsRow, settingsJson, zoneOf } from "./sheet.ts";

/** The SELECT of the booking rules. */
export const selectSettings = () => sql<SettingsRow>`SELECT ${settingsJson()} AS snapshot`;

export async function getBookingSettings(ctx: Ctx): Promise<SettingsRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectSettings())]);
  const [settings] = parseRows(rows);
  if (settings === undefined) throw new Error("The company has no booking settings");
  return settings;
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
