import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { paymentModes } from "#tables/payments";
import { insertPayment } from "./insert.ts";

const modeColumns = columnList(paymentModes, ["name", "modeType", "createdAt", "updatedAt"]);

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
  return [
    // A company that removed the mode it started with gets it back.
    sql`INSERT INTO ${paymentModes} (${modeColumns()})
      SELECT 'Online payments', 'online', ${ctx.now}, ${ctx.now}
      WHERE NOT EXISTS (SELECT 1 FROM ${paymentModes} WHERE ${paymentModes.modeType} = 'online') ON CONFLICT DO NOTHING`,
    ...insertPayment(
      ctx,
      {
        invoiceId: payment.invoiceId,
        customerId: payment.customerId,
        amount: payment.amount,
        currency: payment.currency,
        paymentDate: payment.date,
        paymentModeId: sql`(SELECT ${paymentModes.id} FROM ${paymentModes}
          ORDER BY ${paymentModes.modeType} = 'online' DESC, ${paymentModes.isActive} DESC, ${paymentModes.id} LIMIT 1)`,
        referenceNumber: payment.reference,
        gateway: payment.gateway,
        gatewayPaymentId: payment.gatewayPaymentId,
        isAdvance: Number(payment.isAdvance),
        source: payment.source,
      },
      { ordinal },
    ),
  ];
}
