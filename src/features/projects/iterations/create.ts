import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import type { ProjectParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder, requireProject } from "../within-project.ts";
import { type IterationRow, iteration } from "./record.ts";
import type { IterationCreate } from "./schema.ts";
import { iterations } from "./tables.ts";

export function createIteration(
  ctx: WriteCtx,
  { project_id: projectId }: ProjectParams,
  body: IterationCreate,
): Promise<IterationRow> {
  const parentId = body.parent_id ?? null;
  return atomic(
    ctx,
    [
      requireProject(projectId),
      ...requireParent(iterations, projectId, parentId, null),
      ctx.db.insert(iterations).values({
        operation: ctx.call.id,
        projectId,
        parentId,
        name: body.name,
        type: body.type ?? null,
        startDate: body.start_date ?? null,
        endDate: body.end_date ?? null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    iteration.select(eq(iterations.operation, ctx.call.id)),
    { ...PARENT_REFUSALS, ...datesOutOfOrder("end_date") },
  );
}
