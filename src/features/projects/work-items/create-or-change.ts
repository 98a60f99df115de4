import type { Ctx } from "#core/context.ts";
import { createOrChange } from "#core/write/create-or-change.ts";
import { changeableOf } from "#shared/fields/patch.ts";
import { Problem } from "#shared/problem.ts";
import type { ProjectParams } from "../schema.ts";
import { createWorkItem } from "./create.ts";
import type { WorkItemDetailRow } from "./record.ts";
import { type WorkItemCreate, WorkItemFields } from "./schema.ts";
import { updateWorkItem } from "./update.ts";

/** Creates the work item with the caller's own id, or changes the fields sent of the one that has it, and moves it. */
export function createOrChangeWorkItem(
  ctx: Ctx,
  params: ProjectParams,
  body: WorkItemCreate,
): Promise<WorkItemDetailRow> {
  const moves = body.status !== undefined || body.state !== undefined;
  return createOrChange(
    ctx,
    () => createWorkItem(ctx, params, body),
    (later, id) =>
      updateWorkItem(
        later,
        { ...params, id },
        changeableOf(WorkItemFields, body),
        moves ? body : undefined,
      ).catch((error) => ofAnotherProject(ctx, id, error)),
  );
}

/** No item is deleted: one that the project does not have is of another. */
function ofAnotherProject(ctx: Ctx, id: number, error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "not_found") throw error;
  throw new Problem("duplicate_external_id", ctx.client.holds("projects.read") ? { members: { id } } : {});
}
