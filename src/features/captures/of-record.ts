import { type SQL, sql } from "drizzle-orm";
import { once } from "#core/sql/json.ts";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { shownCapture } from "./record.ts";

const MOST_SHOWN = 20;

type Kind = "invoice" | "order" | "booking";

const intentsOf = (kind: Kind, refId: SQL) => sql`SELECT ${paymentIntents.id} FROM ${paymentIntents}
  WHERE ${paymentIntents.kind} = ${sql.raw(`'${kind}'`)} AND ${paymentIntents.refId} = ${refId}`;
const asked = (kind: Kind, refId: SQL) =>
  sql`SELECT ${gatewayCaptures.id} FROM ${gatewayCaptures} WHERE ${gatewayCaptures.intentId} IN (${intentsOf(kind, refId)})`;
// The ids come in their order, so that the newest need no sort.
const among = (ids: SQL) => sql`${gatewayCaptures.id} IN (${ids})`;

/** The captures of an order, as a condition. */
export const ofOrder = (id: number) => among(asked("order", sql`CAST(${id} AS TEXT)`));
/** Those of a booking. */
export const ofBooking = (id: string) => among(asked("booking", sql`${id}`));
/** Those of a customer. */
export const ofCustomer = (id: number) => sql`${gatewayCaptures.customerId} = ${id}`;
/** Those that an invoice was paid with, those that stand for these, and those that came for it. */
export const ofInvoice = (id: number) =>
  among(sql`SELECT capture_id FROM captures_of_payments WHERE invoice_id = ${id}
    UNION ${asked("invoice", sql`CAST(${id} AS TEXT)`)}`);

/** The SELECT of one record with its captures; `path` is where in its snapshot the record stands. */
export function withCaptures<Row>(select: SQL<Row>, of: SQL, path: "$" | "$.invoice" = "$"): SQL<Row> {
  return sql<Row>`SELECT json_set(snapshot, ${sql.raw(`'${path}.captures'`)}, json((
      SELECT json_group_array(json(capture)) FROM (SELECT ${columns()} AS capture FROM ${gatewayCaptures}
        WHERE ${of} ORDER BY ${gatewayCaptures.id} DESC LIMIT ${sql.raw(String(MOST_SHOWN))})))) AS snapshot
    FROM (${select})`;
}

const columns = once(() => shownCapture.columns());

/** The payments that were asked for an invoice, or for the order or the booking that it is of. It binds no value. */
const intentsOfInvoice = sql`
  ${intentsOf("invoice", sql`CAST(${invoices.id} AS TEXT)`)}
  UNION ALL ${intentsOf("order", sql`CAST(${invoices.salesOrderId} AS TEXT)`)}
  UNION ALL ${intentsOf(
    "booking",
    sql`(SELECT ${lessonSales.bookingId} FROM ${lessonSales} WHERE ${lessonSales.invoiceId} = ${invoices.id})`,
  )}`;

/** Whether a gateway has money for an invoice that is neither invoiced nor settled: its payer is not asked again. */
export const holdsMoney = sql<number>`EXISTS (SELECT 1 FROM ${gatewayCaptures}
  WHERE ${gatewayCaptures.intentId} IN (${intentsOfInvoice}) AND ${gatewayCaptures.advanceAmount} > 0)`;
