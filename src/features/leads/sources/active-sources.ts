import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { leadSources } from "./tables.ts";

const shape = { id: leadSources.id, slug: leadSources.slug, name: leadSources.name };
type SourceRow = JsonRow<typeof shape>;

/** The SELECT of the active sources, the oldest first. */
export const activeSources = sql<SourceRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${leadSources}
  WHERE ${leadSources.isActive} = 1 ORDER BY ${leadSources.id}`;

export async function listSources(ctx: CallCtx): Promise<SourceRow[]> {
  return readAll(ctx, activeSources);
}
