import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { statusAt } from "./snapshot.ts";

/**
 * Aborts the batch where the booking is over, or it is too late to change it. One that is cancelled already passes.
 * `force`: inside the cancellation window too, which a publishable key cannot. `inWindow`: what the window binds.
 */
export function refuseLateChange(ctx: WriteCtx, id: string, force = false, inWindow = sql`true`): SQL[] {
  const when = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${id} AND ${bookings.status} <> 'cancelled' AND ${condition})`;
  const windowMs = sql`(SELECT ${bookingSettings.cancelWindowHours} FROM ${bookingSettings}) * ${HOUR_MS}`;
  const over = sql`${statusAt(ctx.now)} NOT IN ('pending', 'confirmed') OR ${bookings.startAt} <= ${ctx.now}`;
  return [
    refuseWhen(when(sql`(${over})`), "invalid_status"),
    ...(force && ctx.actor.type !== "publishable"
      ? []
      : [
          refuseWhen(
            when(sql`${bookings.startAt} < ${ctx.now} + ${windowMs} AND ${inWindow}`),
            "cancel_window_passed",
          ),
        ]),
  ];
}
