import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Changes, ReadCtx } from "#core/context.ts";
import type { IntentRow } from "./open-intent.ts";

/**
 * `captured` is what came, in minor units: the amount asked for, or more when the payer bears a fee. `isAdvance`: it came
 * before, and waits in Customer Advances.
 */
export type PaidIntent = IntentRow & { gatewayPaymentId: string; captured: number; isAdvance: boolean };

/** The statements of a payment, and how much of it, in minor units, they invoice. */
export type PaidEffect = { statements: readonly SQLWrapper[]; invoiced: number };

/**
 * What a payment does to the order, booking or invoice that it is for. Each function gives statements that commit together with
 * the event's own row. Run again, they have no second effect.
 */
export type Effects = {
  /** The kinds of records of which they leave events. */
  readonly changes: Changes["names"];
  /** The id of the customer who owes it. */
  customerOf(intent: IntentRow): SQL<number>;
  /** The exact amount came. Throws `Quarantined` when it cannot have its effect. */
  paid(ctx: ReadCtx, intent: PaidIntent): Promise<PaidEffect> | PaidEffect;
  /** Money came, but not as it was asked for (`mismatch`), or had no effect (`quarantined`): staff must review it. */
  review(
    ctx: ReadCtx,
    intent: IntentRow & Pick<PaidIntent, "captured">,
    reason: "mismatch" | "quarantined",
  ): readonly SQLWrapper[];
  /** More came than was asked for, by a second payment: that money is owed back. */
  overpaid(ctx: ReadCtx, intent: IntentRow): readonly SQLWrapper[];
  /** The payment that it was confirmed by turns out to be more than the price. */
  surplus?(ctx: ReadCtx, intent: PaidIntent): readonly SQLWrapper[];
  /** No payment came. */
  abandoned(ctx: ReadCtx, intent: IntentRow): readonly SQLWrapper[];
};

export type EffectsByKind = Record<IntentRow["kind"], Effects>;

/** The effect of a payment is impossible, however often its event comes: staff must review the payment. */
export class Quarantined extends Error {}
