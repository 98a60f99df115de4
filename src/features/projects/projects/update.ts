import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { ProjectParams } from "../schema.ts";
import { type ProjectRow, project } from "./record.ts";
import type { ProjectPatch } from "./schema.ts";
import { projects } from "./tables.ts";

/** Changes the fields sent; the code can change only while no work item has it in its reference. */
export function updateProject(
  ctx: WriteCtx,
  { project_id: id }: ProjectParams,
  { name, code, description, status }: ProjectPatch,
): Promise<ProjectRow> {
  const here = eq(projects.id, id);
  return atomic(
    ctx,
    [
      ctx.db.update(projects).set({ name, code, description, status, updatedAt: ctx.now }).where(here),
      refuseIfNone("not_found"),
    ],
    project.select(here),
    {
      code_is_fixed: () => fieldProblem("code", "read_only", "is fixed: work items have references with it"),
    },
  );
}
