import type { CallCtx } from "#core/context.ts";
import { createdIn, equalTo, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import type { Listed, Page } from "#shared/page.ts";
import { leads } from "#tables/leads";
import { type LeadRow, lead } from "./record.ts";
import type { LeadQuery } from "./schema.ts";

/** Leads: newest first, or by the order that the query names. */
export async function listLeads(
  ctx: CallCtx,
  _params: unknown,
  query: LeadQuery & { page: Page },
): Promise<Listed<Placed<LeadRow>>> {
  return readNarrowed(
    ctx,
    { resource: "lead", table: leads, select: lead.select },
    query,
    [createdIn(ctx, leads.createdAt, query)],
    equalTo(leads, query, "status", "source"),
  );
}
