import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { equalTo } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import { containsText, isIndexed, matchOf } from "#core/sql/text-search.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { areas, workItems } from "#tables/projects";
import type { ProjectParams, RecordParams } from "../schema.ts";
import { subtreeOf } from "../tree.ts";
import { listInProject } from "../within-project.ts";
import { selectWorkItem, selectWorkItems, type WorkItemDetailRow, type WorkItemRow } from "./record.ts";
import type { WorkItemQuery } from "./schema.ts";

type Query = Partial<WorkItemQuery> & { page: Page };

/** The work items of a project that pass all filters, newest first; with `updated_since` in the order of the changes. */
export function listWorkItems(
  ctx: CallCtx,
  { project_id: projectId }: ProjectParams,
  query: Query,
): Promise<Listed<WorkItemRow>> {
  return listInProject(ctx, projectId, query.page, selectPage(projectId, query));
}

export function getWorkItem(
  ctx: CallCtx,
  { project_id: projectId, id }: RecordParams,
): Promise<WorkItemDetailRow> {
  const here = sql`${and(eq(workItems.projectId, projectId), eq(workItems.id, id))}`;
  return readOne(ctx, selectWorkItem(ctx, here));
}

function selectPage(projectId: number, query: Query): SQL<WorkItemRow> {
  const { q, page } = query;
  const conditions = [eq(workItems.projectId, projectId), ...equalities(query)];
  const ordered = query.updated_since === undefined ? newestFirst(page) : byChange(page, query.updated_since);
  const choices = choicesOf(projectId, query);
  const anyChoice = choices.map(({ column, among }) => sql`${column} IN (SELECT value FROM ${among})`);

  if (q !== undefined && isIndexed(q)) {
    const phrase = `project : "#${projectId}#" AND {reference title} : ${matchOf(q)}`;
    const found = sql`work_items_search MATCH ${phrase} AND work_items_search.rowid = ${workItems.id}`;
    // Compared by its own row id, the search index starts at the page and skips what comes before.
    const place =
      query.updated_since === undefined ? newestFirst(page, sql`work_items_search.rowid`) : ordered;
    const tail = allOf([found, ...conditions, ...anyChoice, place.after]);
    return selectWorkItems(
      sql`${tail} ORDER BY ${place.by} LIMIT ${page.take}`,
      sql`work_items_search CROSS JOIN`,
    );
  }
  if (q !== undefined) conditions.push(containsText(q, [workItems.reference, workItems.title]));
  conditions.push(ordered.after);
  const end = sql`ORDER BY ${ordered.by} LIMIT ${page.take}`;
  if (choices.length === 0) return selectWorkItems(sql`${allOf(conditions)} ${end}`);

  // Reads one page for each choice by the index, then takes one page of them all: no more rows are read.
  const each = choices.map(({ column, name }) => sql`${column} = ${sql.identifier(name)}.value`);
  const pageOfEach = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${allOf([...conditions, ...each])} ${end}`;
  const sources = choices.map(({ among, name }) => sql`${among} AS ${sql.identifier(name)}`);
  return selectWorkItems(sql`${workItems.id} IN (
      SELECT page.value FROM ${sql.join(sources, sql`, `)},
        json_each((SELECT json_group_array(id) FROM (${pageOfEach}))) AS page
    ) ${end}`);
}

/** A filter that a column passes with any of several values. */
type Choice = { name: string; column: SQL; among: SQL };

function choicesOf(projectId: number, { type, area_id: area, area_subtree: subtree }: Query): Choice[] {
  const choices: Choice[] = [];
  if (type !== undefined && type.length > 1)
    choices.push({
      name: "kind",
      column: sql`${workItems.type}`,
      among: sql`json_each(${JSON.stringify(type)})`,
    });
  if (area !== undefined && subtree === true)
    choices.push({
      name: "area",
      column: sql`${workItems.areaId}`,
      among: sql`(SELECT id AS value FROM (${subtreeOf(areas, projectId, area)}))`,
    });
  return choices;
}

const EQUAL = ["assigned_to", "state_category", "status", "iteration_id", "sprint_id", "parent_id"] as const;

function equalities(query: Query): SQL[] {
  const { type = [], area_id: area } = query;
  const own = hasExternalId("work_item", workItems.id, query.external_id);
  const conditions: SQL[] = own === undefined ? [] : [own];
  if (type.length === 1) conditions.push(sql`${workItems.type} = ${type[0]}`);
  // Written as in the partial index of open items, which is used only then.
  if (query.open_only === true)
    conditions.push(sql`${workItems.stateCategory} NOT IN ('completed', 'removed')`);
  if (area !== undefined && query.area_subtree !== true) conditions.push(eq(workItems.areaId, area));
  const named = equalTo(workItems, query, ...EQUAL);
  return named === undefined ? conditions : [...conditions, named];
}

/** A list's order, and the condition on the rows of its next page. */
type Ordered = { by: SQL; after: SQL };

function newestFirst(page: Page, id = sql`${workItems.id}`): Ordered {
  return { by: sql`${id} DESC`, after: sql`${id} < ${idBelow(page)}` };
}

/** In the order of changes no change is missed: an item that changes meanwhile moves to the end. */
function byChange({ after }: Page, since: number): Ordered {
  const [updatedAt, id] = after ?? [since, 0];
  const order = sql`${workItems.updatedAt}, ${workItems.id}`;
  return { by: order, after: sql`(${order}) > (${updatedAt}, ${id})` };
}

function allOf(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql` AND `);
}
