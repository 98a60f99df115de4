import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import type { ProjectParams } from "../schema.ts";
import { listInProject } from "../within-project.ts";
import { type AreaRow, area } from "./record.ts";
import { areas } from "./tables.ts";

/** The areas of a project, oldest first. */
export function listAreas(
  ctx: CallCtx,
  { project_id: projectId }: ProjectParams,
  { page }: { page: Page },
): Promise<Listed<AreaRow>> {
  const tail = sql`${areas.projectId} = ${projectId} AND ${areas.id} > ${idAbove(page)}
    ORDER BY ${areas.id} LIMIT ${page.take}`;
  return listInProject(ctx, projectId, page, area.select(tail));
}
