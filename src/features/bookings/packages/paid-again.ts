import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { bookingPackages } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { creditedLines } from "#tables/credit-notes";
import { invoiceItems, invoices } from "#tables/invoices";
import { payments } from "#tables/payments";

const { status, orderId, line, updatedAt } = bookingPackages;

/**
 * The statement after those that pay an order's invoice again: once nothing of it is due, the packages are active that the
 * removal of a payment cancelled. What staff changed since, or a credit note credited in full, stays as it is.
 */
export function packagesPaidAgain({ now }: ReadCtx, invoiceId: number): SQL {
  return sql`UPDATE ${bookingPackages} SET status = 'active', updated_at = ${now}
    WHERE ${status} = 'cancelled'
      AND ${orderId} = (SELECT ${invoices.salesOrderId} FROM ${invoices} WHERE ${invoices.id} = ${invoiceId} AND ${invoices.amountDue} = 0)
      AND ${updatedAt} IN (SELECT ${payments.deletedAt} FROM ${gatewayCaptures} JOIN ${payments}
        ON ${payments.gateway} = ${gatewayCaptures.gateway} AND ${payments.gatewayPaymentId} = ${gatewayCaptures.gatewayPaymentId}
        WHERE ${capturesOf("order", sql`CAST(${orderId} AS TEXT)`)})
      AND NOT EXISTS (SELECT 1 FROM ${invoiceItems} JOIN ${creditedLines} ON ${creditedLines.invoiceItemId} = ${invoiceItems.id}
        WHERE ${invoiceItems.invoiceId} = ${invoiceId} AND ${invoiceItems.position} = ${line}
          AND ${creditedLines.creditedTaxable} = ${creditedLines.taxableValue})`;
}
