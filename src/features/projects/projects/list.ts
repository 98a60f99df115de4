import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { readOne } from "#platform/read-one.ts";
import { idBelow, type Page } from "#shared/page.ts";
import type { ProjectParams } from "../schema.ts";
import { projects } from "../tables.ts";
import { type ProjectRow, selectProjects } from "./snapshot.ts";

/** Projects, newest first. */
export async function listProjects(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<ProjectRow[]> {
  const tail = sql`${projects.id} < ${idBelow(page)} ORDER BY ${projects.id} DESC LIMIT ${page.take}`;
  const [rows] = await read(ctx, [jsonQuery(ctx, selectProjects(tail))]);
  return parseRows(rows);
}

export function getProject(ctx: Ctx, { project_id: id }: ProjectParams): Promise<ProjectRow> {
  return readOne(ctx, selectProjects(eq(projects.id, id)));
}
