import { type SQL, sql } from "drizzle-orm";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { gatewayCaptures } from "./tables.ts";

const intentOf = (kind: "invoice" | "order" | "booking", refId: SQL) =>
  sql`SELECT ${paymentIntents.id} FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = ${sql.raw(`'${kind}'`)} AND ${paymentIntents.refId} = ${refId}`;

/** The payments that were asked for an invoice, or for the order or the booking that it is of. It binds no value. */
const intentsOfInvoice = sql`
  ${intentOf("invoice", sql`CAST(${invoices.id} AS TEXT)`)}
  UNION ALL ${intentOf("order", sql`CAST(${invoices.salesOrderId} AS TEXT)`)}
  UNION ALL ${intentOf(
    "booking",
    sql`(SELECT ${lessonSales.bookingId} FROM ${lessonSales} WHERE ${lessonSales.invoiceId} = ${invoices.id})`,
  )}`;

/** Whether a gateway has money for an invoice that is neither invoiced nor settled: its payer is not asked again. */
export const holdsMoney = sql<number>`EXISTS (SELECT 1 FROM ${gatewayCaptures}
  WHERE ${gatewayCaptures.intentId} IN (${intentsOfInvoice})
    AND ${gatewayCaptures.invoicedAmount} + ${gatewayCaptures.settledAmount} < ${gatewayCaptures.amount})`;
