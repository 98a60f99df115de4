import type { WriteCtx } from "#platform/context.ts";
import { atomic } from "#platform/write/atomic.ts";
import type { BookingSettingsPatch } from "./schema.ts";
import { type PageSettings, selectSettings } from "./snapshot.ts";
import { bookingSettings } from "./tables.ts";

/** Changes the fields sent; bookings that were made stay as they are. */
export function updateBookingSettings(
  ctx: WriteCtx,
  _params: unknown,
  patch: BookingSettingsPatch,
): Promise<PageSettings> {
  return atomic(
    ctx,
    [
      ctx.db.update(bookingSettings).set({
        timezone: patch.timezone,
        slotLengthMinutes: patch.slot_length_minutes,
        slotStepMinutes: patch.slot_step_minutes,
        bufferMinutes: patch.buffer_minutes,
        minNoticeMinutes: patch.min_notice_minutes,
        advanceDays: patch.advance_days,
        holdMinutes: patch.hold_minutes,
        pendingHours: patch.pending_hours,
        cancelWindowHours: patch.cancel_window_hours,
        defaultRadiusKm: patch.default_radius_km,
        updatedAt: ctx.now,
      }),
    ],
    selectSettings(ctx),
  );
}
