import { and, eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { ProjectParams, RecordParams } from "../schema.ts";
import { listInProject } from "../within-project.ts";
import { type SprintRow, selectSprints } from "./snapshot.ts";
import { sprints } from "./tables.ts";

/** The sprints of a project, newest first. */
export function listSprints(
  ctx: CallCtx,
  { project_id: projectId }: ProjectParams,
  { page }: { page: Page },
): Promise<Listed<SprintRow>> {
  const tail = sql`${sprints.projectId} = ${projectId} AND ${sprints.id} < ${idBelow(page)}
    ORDER BY ${sprints.id} DESC LIMIT ${page.take}`;
  return listInProject(ctx, projectId, page, selectSprints(tail));
}

export function getSprint(ctx: CallCtx, { project_id: projectId, id }: RecordParams): Promise<SprintRow> {
  return readOne(ctx, selectSprints(sql`${and(eq(sprints.projectId, projectId), eq(sprints.id, id))}`));
}
