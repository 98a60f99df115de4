import { sql } from "drizzle-orm";
import { hasGateway } from "#features/gateway-payments";
import type { Ctx } from "#platform/context.ts";
import { readOne } from "#platform/read-records.ts";
import { timestampToWire } from "#shared/dates.ts";
import { type SettingsRow, settingsJson, zoneOf } from "./sheet.ts";

/** The booking rules, and whether a gateway takes the company's currency. */
export type PageSettings = SettingsRow & { online_payment_enabled: number };

/** The SELECT of the booking rules. */
export const selectSettings = (ctx: Ctx) =>
  sql<PageSettings>`SELECT json_set(${settingsJson()}, '$.online_payment_enabled', ${hasGateway(ctx.company.currency)}) AS snapshot`;

export function getBookingSettings(ctx: Ctx): Promise<PageSettings> {
  return readOne(ctx, selectSettings(ctx));
}

export function renderSettings(row: PageSettings, ctx: Ctx) {
  return {
    ...row,
    online_payment_enabled: row.online_payment_enabled === 1,
    timezone: zoneOf(ctx, row),
    currency: ctx.company.currency,
    slot_step_minutes: row.slot_step_minutes ?? row.slot_length_minutes,
    updated_at: timestampToWire(row.updated_at),
  };
}
