import { eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { ProjectParams } from "../schema.ts";
import { type ProjectRow, project } from "./record.ts";
import { projects } from "./tables.ts";

/** Projects, newest first. */
export async function listProjects(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<ProjectRow>> {
  const tail = sql`${projects.id} < ${idBelow(page)} ORDER BY ${projects.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, project.select(tail));
}

export function getProject(ctx: CallCtx, { project_id: id }: ProjectParams): Promise<ProjectRow> {
  return readOne(ctx, project.select(eq(projects.id, id)));
}
