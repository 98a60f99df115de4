import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import type { ProjectParams } from "../schema.ts";
import { listInProject } from "../within-project.ts";
import { type IterationRow, iteration } from "./record.ts";
import { iterations } from "./tables.ts";

/** The iterations of a project, oldest first. */
export function listIterations(
  ctx: CallCtx,
  { project_id: projectId }: ProjectParams,
  { page }: { page: Page },
): Promise<Listed<IterationRow>> {
  const tail = sql`${iterations.projectId} = ${projectId} AND ${iterations.id} > ${idAbove(page)}
    ORDER BY ${iterations.id} LIMIT ${page.take}`;
  return listInProject(ctx, projectId, page, iteration.select(tail));
}
