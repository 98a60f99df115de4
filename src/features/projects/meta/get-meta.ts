import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/json.ts";
import { readAll } from "#platform/read-records.ts";
import { workItemStatuses } from "../tables.ts";
import { ITERATION_TYPES, MILESTONE_STATUSES, RANKS, STATE_CATEGORIES, WORK_ITEM_TYPES } from "../words.ts";

const shape = {
  slug: workItemStatuses.slug,
  name: workItemStatuses.name,
  category: workItemStatuses.category,
  position: workItemStatuses.position,
  is_default: workItemStatuses.isDefault,
};
type StatusRow = JsonRow<typeof shape>;

/** The statuses of the company, in the order of its board. */
export async function getMeta(ctx: Ctx): Promise<StatusRow[]> {
  const select = sql<StatusRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${workItemStatuses}
    ORDER BY ${workItemStatuses.position}, ${workItemStatuses.id}`;
  return readAll(ctx, select);
}

/** The words that work items are described with, and the statuses. */
export function renderMeta(statuses: readonly StatusRow[]) {
  const ranks = named(RANKS).map((word, index) => ({ ...word, rank: index + 1 }));
  return {
    work_item_types: named(WORK_ITEM_TYPES),
    priorities: ranks,
    severities: ranks,
    state_categories: named(STATE_CATEGORIES),
    statuses: statuses.map((status) => ({ ...status, is_default: status.is_default === 1 })),
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
