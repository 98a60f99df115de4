import { and, eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { leads } from "#tables/leads";
import { type LeadRow, lead } from "./record.ts";
import type { LeadClose } from "./schema.ts";

/**
 * Closes a lead, or changes how it was closed; what the same person sends next opens a new one. `seen` is its last change,
 * where another is refused.
 */
export function closeLead(
  ctx: WriteCtx,
  { id }: RecordParams,
  { status }: LeadClose,
  seen?: number,
): Promise<LeadRow> {
  const here = eq(leads.id, id);
  const asSeen = seen === undefined ? here : and(here, eq(leads.updatedAt, seen));
  const closedAt = sql`coalesce(${leads.closedAt}, ${ctx.now})`;
  return atomic(
    ctx,
    [
      ctx.db.update(leads).set({ status, closedAt, updatedAt: ctx.now }).where(asSeen),
      refuseIfNone(seen === undefined ? "not_found" : "version_conflict"),
    ],
    lead.select(here),
  );
}
