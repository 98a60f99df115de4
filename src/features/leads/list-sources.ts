import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { leadSources } from "./tables.ts";

export type SourceRow = Pick<typeof leadSources.$inferSelect, "id" | "slug" | "name">;

/** The active sources, the oldest first. */
export async function listSources(ctx: Ctx): Promise<SourceRow[]> {
  const [rows] = await read(ctx, [activeSources(ctx)]);
  return rows;
}

export function activeSources(ctx: Ctx) {
  const { id, slug, name } = leadSources;
  return ctx.db.select({ id, slug, name }).from(leadSources).where(eq(leadSources.isActive, 1)).orderBy(id);
}
