import { asc } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { workItemStatuses } from "../tables.ts";
import { ITERATION_TYPES, MILESTONE_STATUSES, RANKS, STATE_CATEGORIES, WORK_ITEM_TYPES } from "../words.ts";

type StatusRow = typeof workItemStatuses.$inferSelect;

/** The statuses of the company, in the order of its board. */
export async function getMeta(ctx: Ctx): Promise<StatusRow[]> {
  const byPosition = [asc(workItemStatuses.position), asc(workItemStatuses.id)];
  const [rows] = await read(ctx, [
    ctx.db
      .select()
      .from(workItemStatuses)
      .orderBy(...byPosition),
  ]);
  return rows;
}

/** The words that work items are described with, and the statuses. */
export function renderMeta(statuses: readonly StatusRow[]) {
  const ranks = named(RANKS).map((word, index) => ({ ...word, rank: index + 1 }));
  return {
    work_item_types: named(WORK_ITEM_TYPES),
    priorities: ranks,
    severities: ranks,
    state_categories: named(STATE_CATEGORIES),
    statuses: statuses.map(({ slug, name, category, position, isDefault }) => ({
      slug,
      name,
      category,
      position,
      is_default: isDefault === 1,
    })),
    milestone_statuses: named(MILESTONE_STATUSES),
    iteration_types: [...ITERATION_TYPES],
  };
}

/** `user_story` as `User story`. */
function named<Slug extends string>(slugs: readonly Slug[]): { slug: Slug; name: string }[] {
  return slugs.map((slug) => {
    const words = slug.replaceAll("_", " ");
    return { slug, name: words.charAt(0).toUpperCase() + words.slice(1) };
  });
}
