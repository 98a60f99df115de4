import { eq, inArray, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { createdIn, equalTo, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import { capturesOf } from "#features/gateway-payments";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditedRefunds, gatewayRefunds } from "#tables/refunds";
import { type RefundRow, refund } from "./record.ts";
import type { RefundQuery } from "./schema.ts";

const { createdAt, settledAt, reviewedAt } = gatewayRefunds;
const REFUNDS = {
  resource: "refund" as const,
  table: gatewayRefunds,
  updatedAt: sql<number>`max(${createdAt}, coalesce(${settledAt}, 0), coalesce(${reviewedAt}, 0))`,
  select: refund.select,
};

/** Refunds: newest first, or by the order that the query names. */
export function listRefunds(
  ctx: CallCtx,
  _params: unknown,
  query: RefundQuery & { page: Page },
): Promise<Listed<Placed<RefundRow>>> {
  const { order_id: orderId, booking_id: bookingId, credit_note_id: noteId } = query;
  const { captureId: capture } = gatewayRefunds;
  return readNarrowed(
    ctx,
    REFUNDS,
    query,
    [createdIn(ctx, createdAt, query)],
    equalTo(gatewayRefunds, query, "status", "capture_id"),
    orderId === undefined ? undefined : inArray(capture, captureIds("order", String(orderId))),
    bookingId === undefined ? undefined : inArray(capture, captureIds("booking", bookingId)),
    noteId === undefined ? undefined : ofNote(noteId),
  );
}

export function getRefund(ctx: CallCtx, { id }: RecordParams): Promise<RefundRow> {
  return readOne(ctx, refund.select(eq(gatewayRefunds.id, id)));
}

/** Refunds that a credit note bears a part of at least. */
function ofNote(id: number) {
  const { refundId, creditNoteId } = creditedRefunds;
  return sql`${gatewayRefunds.id} IN (
    SELECT ${gatewayRefunds.id} FROM ${gatewayRefunds} WHERE ${gatewayRefunds.creditNoteId} = ${id}
    UNION SELECT ${refundId} FROM ${creditedRefunds} WHERE ${creditNoteId} = ${id})`;
}

function captureIds(kind: "order" | "booking", id: string) {
  return sql`(SELECT ${gatewayCaptures.id} FROM ${gatewayCaptures} WHERE ${capturesOf(kind, id)})`;
}
