import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readNewest, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { type RefundRow, refund } from "./record.ts";
import type { RefundQuery } from "./schema.ts";
import { gatewayRefunds } from "./tables.ts";

const REFUNDS = { table: gatewayRefunds, select: refund.select };

/** Refunds, newest first. */
export function listRefunds(
  ctx: CallCtx,
  _params: unknown,
  { page, status, capture_id: captureId, credit_note_id: noteId }: RefundQuery & { page: Page },
): Promise<Listed<RefundRow>> {
  return readNewest(
    ctx,
    page,
    REFUNDS,
    status && eq(gatewayRefunds.status, status),
    captureId === undefined ? undefined : eq(gatewayRefunds.captureId, captureId),
    noteId === undefined ? undefined : eq(gatewayRefunds.creditNoteId, noteId),
  );
}

export function getRefund(ctx: CallCtx, { id }: RecordParams): Promise<RefundRow> {
  return readOne(ctx, refund.select(eq(gatewayRefunds.id, id)));
}
