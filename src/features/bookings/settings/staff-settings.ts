import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { EncryptionCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { scopeProblem } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText, secretText } from "#shared/fields/text.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { fieldProblem } from "#shared/problem.ts";
import { bookingSettings } from "#tables/bookings";
import { duration } from "../schema.ts";
import { puzzleSecrets } from "./secret-kinds.ts";
import {
  getBookingSettings,
  type PageSettings,
  PUZZLE_MODES,
  REFUND_POLICIES,
  selectSettings,
  staffSettings,
} from "./settings.ts";

const HINT_CHARACTERS = 4;
const minutes = (min: number, max: number) => z.int().min(min).max(max);

const sent = z.object({
  timezone: timeZone.nullable().meta({ description: "IANA name of the time zone. Null: the company's." }),
  slot_length_minutes: minutes(duration.min, duration.max).meta({
    description: "The length of a lesson if nothing else sets it.",
  }),
  slot_step_minutes: minutes(5, duration.max)
    .nullable()
    .meta({ description: "The time from one start to the next. Null: the slot length." }),
  buffer_minutes: minutes(0, duration.max).meta({ description: "Free time between two bookings." }),
  min_notice_minutes: minutes(0, 44_640).describe("How long before its start a slot closes for booking."),
  advance_days: minutes(0, 366).meta({ description: "How many days ahead a lesson can be booked." }),
  hold_minutes: minutes(1, 1_440).meta({ description: "How long a slot is held for an online payment." }),
  pending_hours: minutes(0, 8_784).meta({
    description: "How long a booking that is not paid online waits for confirmation. 0: forever.",
  }),
  cancel_window_hours: minutes(0, 8_784).meta({
    description: "A booking can be cancelled or moved until this long before its start.",
  }),
  default_radius_km: z.number().min(0.1).max(1_000).describe("The radius of a service area that sets none."),
  confirm_free: z.boolean().meta({
    description:
      "True: a free lesson booked from a browser needs an e-mail address. It is held for 30 minutes, until the visitor opens the link in the e-mail and confirms.",
  }),
  issue_invoices: z.boolean().nullable().meta({
    description:
      "True: the payment of a lesson issues its invoice. False: it issues a receipt. Null: true if the company is registered for tax.",
  }),
  refund_on_cancel: z.enum(REFUND_POLICIES).meta({
    description:
      "`full`: a customer who cancels in time gets back what was paid through a gateway, what came twice too, at once. `off`: staff give it back. Of a lesson with a receipt the rest goes back, if a part did before. These are left to staff: a payment of another amount than the price, a lesson of a package, and an invoice that a credit note credits, or of which a gateway gave money back by itself. A change asks also for `refunds:write`, because it moves money out.",
  }),
});
const turnstile = z
  .object({
    mode: z.enum(PUZZLE_MODES).meta({
      description:
        "Which visitors of a booking page must solve the puzzle. `off`: no visitor. `risky`: visitors whose address has several unpaid holds. `always`: every visitor.",
    }),
    site_key: cleanText({ min: 1, max: 100 })
      .nullable()
      .meta({ description: "The site key of Turnstile, which is public." }),
    secret: secretText({ min: 1, max: 200 }).nullable().meta({ description: "Write-only." }),
  })
  .partial()
  .meta({ description: "The Turnstile puzzle. It applies to publishable keys only." });
const BookingSettingsPatch = patchOf(sent.extend({ turnstile }));
export const bookingSettingsStaffRoutes = new Router(
  "Settings: Booking rules and locations",
  "/booking-settings",
).settings({
  id: "BookingSettings",
  words: "the booking rules",
  record: staffSettings,
  patch: BookingSettingsPatch,
  verbs: { get: getBookingSettings, update: updateBookingSettings },
  description: "Existing bookings do not change.",
});

/** Changes the fields sent; bookings that were made stay as they are. */
async function updateBookingSettings(
  ctx: WriteCtx & EncryptionCtx & OutsideCtx,
  _params: unknown,
  patch: z.infer<typeof BookingSettingsPatch>,
): Promise<PageSettings> {
  const { mode, site_key: siteKey, secret } = patch.turnstile ?? {};
  const { refund_on_cancel: policy } = patch;
  const mayRefund = policy === undefined || ctx.client.holds("refunds:write");
  const isOther = sql`EXISTS (SELECT 1 FROM ${bookingSettings} WHERE ${bookingSettings.refundOnCancel} <> ${policy ?? null})`;
  return atomic(
    ctx,
    [
      ...(mayRefund ? [] : [refuseWhen(isOther, "insufficient_scope")]),
      ctx.db.update(bookingSettings).set({
        ...columnsOf(bookingSettings, patch, ["turnstile"]),
        turnstileMode: mode,
        turnstileSiteKey: siteKey,
        turnstileSecret: secret && (await ctx.encrypt(puzzleSecrets, "", secret)),
        turnstileHint: secret === null ? null : secret?.slice(-HINT_CHARACTERS),
        updatedAt: ctx.now,
      }),
    ],
    selectSettings(ctx),
    {
      insufficient_scope: () => scopeProblem(["refunds:write"]),
      turnstile_without_keys: () =>
        fieldProblem("turnstile.mode", "keys_missing", "needs a site_key and a secret"),
    },
  );
}
