import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { areas, iterations, workItems } from "#tables/projects";

type Tree = typeof areas | typeof iterations | typeof workItems;

const MOST_LEVELS = 14;

/**
 * Aborts the batch unless `parentId` may be the parent: a node of the same project that is neither the node `id` nor
 * below it, and not so deep that the nodes below `id` would be too deep. `id` is null for a new node.
 */
export function requireParent(
  tree: Tree,
  projectId: number,
  parentId: number | null | undefined,
  id: number | null,
): SQL[] {
  if (parentId == null) return [];
  const above = sql`WITH RECURSIVE above (id, parent_id) AS (
      SELECT ${tree.id}, ${tree.parentId} FROM ${tree} WHERE ${tree.projectId} = ${projectId} AND ${tree.id} = ${parentId}
      UNION ALL SELECT ${tree.id}, ${tree.parentId} FROM above JOIN ${tree} ON ${tree.id} = above.parent_id
    )`;
  const levelsBelow =
    id === null
      ? sql`1`
      : sql`(WITH RECURSIVE below (id, level) AS (
          SELECT ${id}, 1
          UNION ALL SELECT ${tree.id}, level + 1 FROM below JOIN ${tree}
            ON ${tree.projectId} = ${projectId} AND ${tree.parentId} = below.id
        ) SELECT max(level) FROM below)`;
  return [
    refuseWhen(sql`NOT EXISTS (${above} SELECT 1 FROM above)`, "parent_not_in_project"),
    refuseWhen(sql`EXISTS (${above} SELECT 1 FROM above WHERE id = ${id})`, "cycle"),
    refuseWhen(sql`(${above} SELECT count(*) FROM above) + ${levelsBelow} > ${MOST_LEVELS}`, "too_deep"),
  ];
}

export const PARENT_REFUSALS: Refusals = {
  parent_not_in_project: () =>
    fieldProblem("parent_id", "not_in_project", "names none of this project", "parent_not_in_project"),
  cycle: () => fieldProblem("parent_id", "cycle", "names the record itself or one below it", "cycle"),
  too_deep: () => fieldProblem("parent_id", "too_deep", `would nest deeper than ${MOST_LEVELS} levels`),
};

export const nodePath = z.string().describe("The names from the top down to this one, joined by `/`.");

/** What the document says of the operations on a tree. */
export const TREE_NOTES = {
  list: { description: "A tree as a flat list, oldest first, each with its `path`." },
  update: { description: "A move includes everything below. A move under itself is refused." },
};

/** What the operations that write a tree are refused with. */
export const TREE_PROBLEMS = {
  create: ["parent_not_in_project", "duplicate_name"],
  update: ["parent_not_in_project", "cycle", "duplicate_name"],
} as const;

/** The names of a node's ancestors and its own, joined by `/`. */
export function pathIn(tree: typeof areas | typeof iterations): SQL<string> {
  const node = alias(tree, "node");
  return sql`(WITH RECURSIVE above (parent_id, path) AS (
      SELECT ${node.parentId}, ${node.name} FROM ${tree} AS ${node} WHERE ${node.id} = ${tree.id}
      UNION ALL SELECT ${node.parentId}, ${node.name} || '/' || above.path
        FROM above JOIN ${tree} AS ${node} ON ${node.id} = above.parent_id
    ) SELECT path FROM above WHERE parent_id IS NULL)`;
}

/** The ids of a node and of all below it, as a SELECT. */
export function subtreeOf(tree: typeof areas, projectId: number, id: number): SQL {
  return sql`WITH RECURSIVE below (id) AS (
      SELECT ${tree.id} FROM ${tree} WHERE ${tree.projectId} = ${projectId} AND ${tree.id} = ${id}
      UNION ALL SELECT ${tree.id} FROM below JOIN ${tree}
        ON ${tree.projectId} = ${projectId} AND ${tree.parentId} = below.id
    ) SELECT id FROM below`;
}
