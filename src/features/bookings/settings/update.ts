import type { EncryptionCtx, WriteCtx } from "#core/context.ts";
import { atomic, type Refusals } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { BookingSettingsPatch } from "./schema.ts";
import { puzzleSecrets } from "./secret-kinds.ts";
import { type PageSettings, selectSettings } from "./snapshot.ts";
import { bookingSettings } from "./tables.ts";

const HINT_CHARACTERS = 4;
const REFUSALS: Refusals = {
  turnstile_without_keys: () =>
    fieldProblem("turnstile.mode", "keys_missing", "needs a site_key and a secret"),
};

/** Changes the fields sent; bookings that were made stay as they are. */
export async function updateBookingSettings(
  ctx: WriteCtx & EncryptionCtx,
  _params: unknown,
  patch: BookingSettingsPatch,
): Promise<PageSettings> {
  const { mode, site_key: siteKey, secret } = patch.turnstile ?? {};
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
        confirmFree: patch.confirm_free === undefined ? undefined : Number(patch.confirm_free),
        turnstileMode: mode,
        turnstileSiteKey: siteKey,
        turnstileSecret: secret && (await ctx.encrypt(puzzleSecrets, "", secret)),
        turnstileHint: secret === null ? null : secret?.slice(-HINT_CHARACTERS),
        updatedAt: ctx.now,
      }),
    ],
    selectSettings(ctx),
    REFUSALS,
  );
}
