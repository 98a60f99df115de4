import { sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, SystemWriteCtx, WriteCtx } from "#core/context.ts";
import { internal } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, systemWrite } from "#core/write/atomic.ts";
import { forgetEvents, oldEvents } from "#core/write/event-upkeep.ts";
import { refuseShorter } from "#core/write/keep-shorter.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { eventSettings } from "#tables/events";
import { forgetDeliveries, isToBeSent } from "./deliveries/forget.ts";
import { EventSettings, type EventSettingsPatch } from "./schema.ts";

const FORGOTTEN_AT_ONCE = 500;

/** For how many days events are kept. */
export const settings = record(eventSettings, {
  id: internal<number>(),
  event_days: EventSettings.shape.event_days,
});
type SettingsRow = RowOf<typeof settings>;
const stored = () => settings.select(sql`1`);

export function getEventSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, stored());
}

/** Changes how long events are kept, with the scopes that write what they hold; what is too old by it goes within an hour. */
export function updateEventSettings(erasing: readonly string[]) {
  return (ctx: WriteCtx & OutsideCtx, _params: unknown, patch: EventSettingsPatch): Promise<SettingsRow> => {
    const { guards, refusals } = refuseShorter(ctx, eventSettings.eventDays, patch.event_days, erasing);
    const change = ctx.db.update(eventSettings).set({ eventDays: patch.event_days });
    return atomic(ctx, [...guards, change], stored(), refusals);
  };
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
