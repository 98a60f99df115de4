import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { paymentModes } from "#tables/payments";
import { insertPayment } from "./insert.ts";

export type OnlinePayment = {
  invoiceId: number | SQL<number>;
  customerId: number | SQL<number>;
  /** Minor units. */
  amount: number;
  currency: string;
  date: string;
  gateway: GatewayKind;
  gatewayPaymentId: string;
  /** Whether the money waits in Customer Advances; else it comes now. */
  isAdvance: boolean;
  reference: string | SQL<string>;
  source: "api" | "storefront" | "booking" | "hosted_page";
};

/**
 * The statements that record what a gateway took for an invoice, whose due it leaves as it is, once its capture is stored: the
 * money lies in the gateway's clearing account until the gateway pays it out. `ordinal` is that of its journal entry within
 * the batch.
 */
export function recordOnlinePayment(ctx: CallCtx, payment: OnlinePayment, ordinal: number): SQLWrapper[] {
  const { date, reference, isAdvance, ...taken } = payment;
  return [
    // A company that removed the mode it started with gets it back.
    sql`INSERT INTO ${paymentModes} (name, mode_type, created_at, updated_at)
      SELECT 'Online payments', 'online', ${ctx.now}, ${ctx.now}
      WHERE NOT EXISTS (SELECT 1 FROM ${paymentModes} WHERE ${paymentModes.modeType} = 'online') ON CONFLICT DO NOTHING`,
    ...insertPayment(
      ctx,
      {
        ...taken,
        paymentDate: date,
        paymentModeId: sql`(SELECT ${paymentModes.id} FROM ${paymentModes}
          ORDER BY ${paymentModes.modeType} = 'online' DESC, ${paymentModes.isActive} DESC, ${paymentModes.id} LIMIT 1)`,
        referenceNumber: reference,
        isAdvance: Number(isAdvance),
      },
      { ordinal },
    ),
  ];
}
