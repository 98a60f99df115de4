import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { refundLater, refundRuns } from "#features/refunds";
import { HOUR_MS } from "#shared/time/durations.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { booksSettings } from "#tables/ledger";
import { lessonSales } from "#tables/lessons";
import { gatewayRefunds } from "#tables/refunds";
import { bookings } from "../bookings/tables.ts";
import { endDocuments } from "../receipts/give-back.ts";
import { bookingSettings } from "../settings/tables.ts";
import { hasMoney } from "./refund-due.ts";

/** The captures that paid a booking. */
const paying = (id: string | SQL) =>
  sql`${capturesOf("booking", id)} AND ${gatewayCaptures.outcome} = 'paid'`;

/** The captures of what came for a booking, also twice or in another amount, in its currency. */
const coming = (id: string) =>
  sql`${capturesOf("booking", id)} AND ${gatewayCaptures.currency} = (SELECT ${bookings.currency} FROM ${bookings} WHERE ${bookings.id} = ${id})`;

/** Whether a booking of the query is not cancelled yet, was paid through a gateway, and its documents may end. */
function mayGoBack(): SQL {
  const { lockedThrough, gstFiledThrough } = booksSettings;
  const { invoiceDate } = invoices;
  return sql`${bookings.status} <> 'cancelled' AND ${hasMoney} AND ${bookings.bookingPackageId} IS NULL
    AND EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${paying(sql`${bookings.id}`)} AND ${gatewayCaptures.invoicedAmount} > 0)
    AND NOT ${refundRuns("booking", sql`${bookings.id}`)}
    AND NOT EXISTS (SELECT 1 FROM ${lessonSales} JOIN ${invoices} ON ${invoices.id} = ${lessonSales.invoiceId}
      CROSS JOIN ${booksSettings} WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL
        AND (coalesce(${invoiceDate} <= ${lockedThrough}, 0) OR coalesce(substr(${invoiceDate}, 1, 7) <= ${gstFiledThrough}, 0)
          OR EXISTS (SELECT 1 FROM uncovered_refunds_of_invoices AS refund WHERE refund.invoice_id = ${invoices.id})
          OR EXISTS (SELECT 1 FROM ${creditNotes} WHERE ${creditNotes.invoiceId} = ${invoices.id}
            AND ${creditNotes.status} = 'issued')))`;
}

/** Whether a booking of the query is in time for the rule of its school that gives back what is cancelled. */
function isByPolicy({ now }: Pick<ReadCtx, "now">): SQL {
  return sql`${bookingSettings.refundOnCancel} = 'full'
    AND ${bookings.startAt} >= ${now} + ${bookingSettings.cancelWindowHours} * ${HOUR_MS}`;
}

/** Whether a booking that is not cancelled yet was paid through a gateway, and its documents may end. */
export function canGoBack(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${id} AND ${mayGoBack()})`;
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

/** The statements before those that cancel a booking: its documents end, and a job sends all its money back. */
export function refundWithCancel(ctx: Ctx, id: string): SQLWrapper[] {
  return [...endDocuments(ctx, id), refundLater(ctx, coming(id))];
}
