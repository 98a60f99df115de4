import { sql } from "drizzle-orm";
import type { CallCtx, UnattendedCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readOne } from "#platform/sql/read-records.ts";
import { atomic, unattended } from "#platform/write/atomic.ts";
import { forgetEvents, oldEvents } from "#platform/write/event-upkeep.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { forgetDeliveries, isToBeSent } from "./deliveries/forget.ts";
import type { EventSettingsPatch } from "./schema.ts";
import { eventSettings } from "./tables.ts";

const FORGOTTEN_AT_ONCE = 500;

const shape = { id: eventSettings.id, event_days: eventSettings.eventDays };
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${eventSettings}`;

/** For how many days events are kept. */
export function getEventSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

/** Changes how long events are kept; what is too old by it goes with the next housekeeping. */
export function updateEventSettings(
  ctx: WriteCtx,
  _params: unknown,
  patch: EventSettingsPatch,
): Promise<SettingsRow> {
  return atomic(ctx, [ctx.db.update(eventSettings).set({ eventDays: patch.event_days })], select());
}

export function renderEventSettings({ event_days }: SettingsRow) {
  return { event_days };
}

/**
 * Forgets events that the company no longer keeps, with the log of their sending, in small batches, so that no writer waits
 * long. What is still to be sent is kept, but not for an endpoint that is disabled.
 */
export async function forgetOldEvents(ctx: UnattendedCtx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(eventSettings)]);
  if (kept === undefined) return;
  const before = ctx.now - kept.eventDays * DAY_MS;
  const old = oldEvents(before, FORGOTTEN_AT_ONCE, isToBeSent);
  for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE; ) {
    const results = await unattended(ctx, [...forgetDeliveries(old), forgetEvents(old)]);
    gone = results[2]?.rowsAffected ?? 0;
  }
}
