import { type SQL, sql } from "drizzle-orm";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { workItemStatuses } from "#tables/projects";
import type { StateCategory } from "../vocabulary.ts";
import type { TargetState } from "./schema.ts";

/** The state that an item is to be in, as SQL that reads the configured statuses in the batch that uses them. */
export type Target = { state: SQL<string>; category: SQL<StateCategory>; status: SQL<string | null> };

/**
 * A configured status by its slug or name, in any case; the default where nothing is sent. With a category, the state is
 * taken as given, and has a status only where one is configured with that name and category.
 */
export function targetOf({ status, state, state_category: category }: TargetState): Target {
  if (state !== undefined && category !== undefined) {
    const configured = sql`${workItemStatuses.name} = ${state} AND ${workItemStatuses.category} = ${category}`;
    return { state: sql`${state}`, category: sql`${category}`, status: columnOf("slug", configured) };
  }
  const where =
    status !== undefined
      ? sql`${workItemStatuses.slug} = ${status}`
      : state !== undefined
        ? sql`${workItemStatuses.name} = ${state}`
        : sql`${workItemStatuses.isDefault} = 1`;
  return {
    state: columnOf("name", where),
    category: columnOf("category", where),
    status: columnOf("slug", where),
  };
}

function columnOf<T>(column: "slug" | "name" | "category", where: SQL): SQL<T> {
  return sql`(SELECT ${workItemStatuses[column]} FROM ${workItemStatuses} WHERE ${where})`;
}

/** Aborts the batch where the target names no configured status and has no category of its own. */
export function requireState(target: Target): SQL {
  return refuseWhen(sql`${target.category} IS NULL`, "unknown_state");
}

export function stateRefusals({ status }: TargetState): Refusals {
  return {
    unknown_state: () =>
      status === undefined
        ? fieldProblem(
            "state",
            "unknown_state",
            "is no configured status; send its state_category too",
            "unknown_state",
          )
        : fieldProblem("status", "unknown_state", "is the slug of no configured status", "unknown_state"),
  };
}
