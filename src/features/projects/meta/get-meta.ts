import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { workItemStatuses } from "#tables/projects";
import { type StatusRow, status } from "../statuses/statuses.ts";
import {
  ITERATION_TYPES,
  MILESTONE_STATUSES,
  RANKS,
  STATE_CATEGORIES,
  WORK_ITEM_TYPES,
} from "../vocabulary.ts";

/** The statuses of the company, in the order of its board. */
export function getMeta(ctx: CallCtx): Promise<StatusRow[]> {
  return readAll(ctx, status.select(sql`true ORDER BY ${workItemStatuses.position}, ${workItemStatuses.id}`));
}

/** The words that work items are described with, and the statuses. */
export function renderMeta(statuses: readonly StatusRow[]) {
  const ranks = named(RANKS).map((word, index) => ({ ...word, rank: index + 1 }));
  return {
    work_item_types: named(WORK_ITEM_TYPES),
    priorities: ranks,
    severities: ranks,
    state_categories: named(STATE_CATEGORIES),
    statuses: statuses.map(status.render),
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
