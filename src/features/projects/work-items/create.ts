import { eq, type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import type { ExternalIds } from "#core/write/external-id.ts";
import { Problem } from "#shared/problem.ts";
import { projects, workItems } from "#tables/projects";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { ProjectParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder } from "../within-project.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./record.ts";
import type { WorkItemCreate } from "./schema.ts";
import { requireState, stateRefusals, targetOf } from "./target-state.ts";

const ARCHIVED: Refusals = {
  project_archived: () =>
    new Problem("invalid_status", { message: "The project is archived: it takes no more work items" }),
};

/** What callers give ids of their own to. */
export const workItemIds: ExternalIds = { kind: "work_item", table: workItems, isNumber: true };

/** Creates a work item under the project's next number, in the state sent or the company's default. */
export function createWorkItem(
  ctx: WriteCtx,
  { project_id: projectId }: ProjectParams,
  body: WorkItemCreate,
): Promise<WorkItemDetailRow> {
  const target = targetOf(body);
  const ofProject = <T>(expression: SQL): SQL<T> =>
    sql`(SELECT ${expression} FROM ${projects} WHERE ${projects.id} = ${projectId})`;
  return atomic(
    ctx,
    [
      ctx.db
        .update(projects)
        .set({ lastNumber: sql`${projects.lastNumber} + 1` })
        .where(eq(projects.id, projectId)),
      refuseIfNone("not_found"),
      refuseWhen(sql`${ofProject(sql`${projects.status}`)} = 'archived'`, "project_archived"),
      requireState(target),
      ...requireProjectReferences(projectId, body),
      ...requireParent(workItems, projectId, body.parent_id, null),
      ctx.db.insert(workItems).values({
        operation: ctx.call.id,
        projectId,
        number: ofProject<number>(sql`${projects.lastNumber}`),
        reference: ofProject<string>(sql`${projects.code} || '-' || ${projects.lastNumber}`),
        ...columnsOf(workItems, body, ["tags", "reference", "status", "state", "state_category"]),
        type: body.type ?? "task",
        priority: body.priority ?? "medium",
        tags: body.tags && JSON.stringify(body.tags),
        state: target.state,
        stateCategory: target.category,
        status: target.status,
        createdByKey: ctx.actor.name,
        createdAt: ctx.now,
        updatedAt: ctx.now,
        stateChangedAt: ctx.now,
        startedAt: sql`iif(${target.category} IN ('in_progress', 'resolved', 'completed'), ${ctx.now}, NULL)`,
        finishedAt: sql`iif(${target.category} = 'completed', ${ctx.now}, NULL)`,
      }),
    ],
    selectWorkItem(ctx, eq(workItems.operation, ctx.call.id)),
    {
      ...ARCHIVED,
      ...PROJECT_REFERENCE_REFUSALS,
      ...PARENT_REFUSALS,
      ...stateRefusals(body),
      ...datesOutOfOrder("due_date"),
    },
  );
}
