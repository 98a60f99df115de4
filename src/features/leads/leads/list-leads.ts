import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readNewest } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import { leads } from "#tables/leads";
import { type LeadRow, lead } from "./record.ts";
import type { LeadQuery } from "./schema.ts";

/** Leads, newest first. */
export async function listLeads(
  ctx: CallCtx,
  _params: unknown,
  { status, source, page }: LeadQuery & { page: Page },
): Promise<Listed<LeadRow>> {
  return readNewest(
    ctx,
    page,
    lead,
    status && eq(leads.status, status),
    source === undefined ? undefined : eq(leads.source, source),
  );
}
