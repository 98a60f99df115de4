import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { refundRuns } from "#features/refunds";
import { HOUR_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { lessonSales } from "#tables/lessons";
import { gatewayRefunds } from "#tables/refunds";
import { hasMoney } from "./refund-due.ts";

/** Whether a booking of the query is not cancelled yet, was paid through a gateway, and no credit note is of its money, or owed. */
function mayGoBack(): SQL {
  const paying = sql`${capturesOf("booking", sql`${bookings.id}`)} AND ${gatewayCaptures.outcome} = 'paid'`;
  return sql`${bookings.status} <> 'cancelled' AND ${hasMoney} AND ${bookings.bookingPackageId} IS NULL
    AND EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${paying} AND ${gatewayCaptures.invoicedAmount} > 0)
    AND NOT ${refundRuns("booking", sql`${bookings.id}`)}
    AND NOT EXISTS (SELECT 1 FROM ${lessonSales} WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL
      AND (EXISTS (SELECT 1 FROM uncovered_refunds_of_invoices AS refund WHERE refund.invoice_id = ${lessonSales.invoiceId})
        OR EXISTS (SELECT 1 FROM ${creditNotes} WHERE ${creditNotes.invoiceId} = ${lessonSales.invoiceId}
          AND ${creditNotes.status} = 'issued')))`;
}

/** Whether a booking of the query is in time for the rule of its school that gives back what is cancelled. */
function isByPolicy({ now }: Pick<ReadCtx, "now">): SQL {
  return sql`${bookingSettings.refundOnCancel} = 'full'
    AND ${bookings.startAt} >= ${now} + ${bookingSettings.cancelWindowHours} * ${HOUR_MS}`;
}

/** Whether the school gives the money of a booking back when it is cancelled now. */
export function goesBackByPolicy(ctx: ReadCtx, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bookings} CROSS JOIN ${bookingSettings}
    WHERE ${bookings.id} = ${id} AND ${isByPolicy(ctx)} AND ${mayGoBack()})`;
}

/** How much goes back by that rule when a booking of the query is cancelled now; null where nothing does. */
export function backByPolicy(ctx: ReadCtx): SQL<number | null> {
  const { outcome, amount, settledAmount, advanceAmount, lentAmount } = gatewayCaptures;
  return sql`iif(${isByPolicy(ctx)} AND ${mayGoBack()}, (SELECT
    nullif(sum(iif(${outcome} = 'paid', ${amount} - ${settledAmount} - (SELECT coalesce(sum(${gatewayRefunds.amount}), 0)
      FROM ${gatewayRefunds} WHERE ${gatewayRefunds.captureId} = ${gatewayCaptures.id} AND ${gatewayRefunds.status} <> 'failed'),
      ${advanceAmount} + ${lentAmount})), 0)
    FROM ${gatewayCaptures} WHERE ${capturesOf("booking", sql`${bookings.id}`)}
      AND ${gatewayCaptures.currency} = ${bookings.currency}), NULL)`;
}
