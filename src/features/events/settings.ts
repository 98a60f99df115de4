import { sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, SystemWriteCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, systemWrite } from "#core/write/atomic.ts";
import { forgetEvents, oldEvents } from "#core/write/event-upkeep.ts";
import { refuseShorter } from "#core/write/keep-shorter.ts";
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

/** Changes how long events are kept, with the scopes that write what they hold; what is too old by it goes within an hour. */
export function updateEventSettings(erasing: readonly string[]) {
  return (ctx: WriteCtx & OutsideCtx, _params: unknown, patch: EventSettingsPatch): Promise<SettingsRow> => {
    const { guards, refusals } = refuseShorter(ctx, eventSettings.eventDays, patch.event_days, erasing);
    const change = ctx.db.update(eventSettings).set({ eventDays: patch.event_days });
    return atomic(ctx, [...guards, change], select(), refusals);
  };
}

export function renderEventSettings({ event_days }: SettingsRow) {
  return { event_days };
}

/**
 * Forgets events that the company no longer keeps, with the log of their sending, in small batches, so that no writer waits
 * long. What is still to be sent is kept, but not for an endpoint that is disabled.
 */
export async function forgetOldEvents(ctx: SystemWriteCtx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(eventSettings)]);
  if (kept === undefined) return;
  const before = ctx.now - kept.eventDays * DAY_MS;
  const old = oldEvents(before, FORGOTTEN_AT_ONCE, isToBeSent);
  for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE; ) {
    const results = await systemWrite(ctx, [...forgetDeliveries(old), forgetEvents(old)]);
    gone = results[2]?.rowsAffected ?? 0;
  }
}
