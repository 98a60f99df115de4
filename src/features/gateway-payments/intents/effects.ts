import type { SQLWrapper } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { IntentRow } from "./open-intent.ts";

/** `captured` is what came, in minor units: the amount asked for, or more where whoever pays bears a fee. */
export type PaidIntent = IntentRow & { gatewayPaymentId: string; captured: number };

/**
 * What a payment does to the order or booking that it is for. Each function gives statements that commit together with
 * the event's own row. Run again, they have no second effect.
 */
export type Effects = {
  /** The exact amount came. Throws `Parked` when the order or booking cannot be confirmed. */
  paid(ctx: ReadCtx, intent: PaidIntent): Promise<readonly SQLWrapper[]> | readonly SQLWrapper[];
  /** Money came, but not as it was asked for (`mismatch`), or had no effect (`parked`): somebody has to look. */
  review(
    ctx: ReadCtx,
    intent: IntentRow & Pick<PaidIntent, "captured">,
    reason: "mismatch" | "parked",
  ): readonly SQLWrapper[];
  /** More came than was asked for, by a second payment: that money is owed back. */
  overpaid(ctx: ReadCtx, intent: IntentRow): readonly SQLWrapper[];
  /** The payment that it was confirmed by turns out to be more than the price. */
  surplus?(ctx: ReadCtx, intent: PaidIntent): readonly SQLWrapper[];
  /** Nobody paid. */
  abandoned(ctx: ReadCtx, intent: IntentRow): readonly SQLWrapper[];
};

export type EffectsByKind = Record<IntentRow["kind"], Effects>;

/** The effect of a payment is impossible, however often its event comes: the payment is kept for somebody to look at. */
export class Parked extends Error {}
