import { type SQL, sql } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { bookingSettings } from "../settings/tables.ts";

type Lengths = { hold_minutes: number; pending_hours: number };

/** How long a new hold keeps its slot, in ms: for an online payment, or until the school confirms. */
export function holdLength({ hold_minutes, pending_hours }: Lengths, paidOnline: boolean): number {
  return paidOnline ? hold_minutes * MINUTE_MS : pending_hours * HOUR_MS;
}

/** How long a free lesson is held until its e-mail address is confirmed, in ms. */
export const UNPROVEN_MS = 30 * MINUTE_MS;

/** How long a hold that is renewed for an online payment keeps its slot, in ms, as SQL. */
export function renewedHoldLength(): SQL<number> {
  return sql<number>`(SELECT ${bookingSettings.holdMinutes} FROM ${bookingSettings}) * ${MINUTE_MS}`;
}
