import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { LeadQuery } from "./schema.ts";
import { type LeadRow, selectLeads } from "./snapshot.ts";
import { leads } from "./tables.ts";

/** Leads, newest first. */
export async function listLeads(
  ctx: CallCtx,
  _params: unknown,
  { status, source, page }: LeadQuery & { page: Page },
): Promise<Listed<LeadRow>> {
  const inStatus = status === undefined ? sql`` : sql`AND ${leads.status} = ${status}`;
  const fromSource = source === undefined ? sql`` : sql`AND ${leads.source} = ${source}`;
  const tail = sql`${leads.id} < ${idBelow(page)} ${inStatus} ${fromSource}
    ORDER BY ${leads.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectLeads(tail));
}
