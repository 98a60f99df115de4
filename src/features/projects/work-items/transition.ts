import { and, eq, not, type SQLWrapper, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { statusHistory, workItemComments, workItems } from "#tables/projects";
import { insertComment } from "../comments/insert.ts";
import type { RecordParams } from "../schema.ts";
import { requireRecord } from "../within-project.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./record.ts";
import type { WorkItemTransition } from "./schema.ts";
import { requireState, stateRefusals, type Target, targetOf } from "./target-state.ts";
import { changeTime, requireVersion, touched } from "./version.ts";

/** Moves an item from any state to another, with a comment where one is sent. */
export function transitionWorkItem(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  body: WorkItemTransition,
): Promise<WorkItemDetailRow> {
  return atomic(
    ctx,
    [
      requireRecord(workItems, projectId, id),
      ...requireVersion(id, body.expected_version),
      ...moveTo(ctx, id, targetOf(body), body.comment),
    ],
    selectWorkItem(ctx, eq(workItems.id, id)),
    stateRefusals(body),
  );
}

/**
 * The statements that move an item to a state and write its history; a move to its own state changes nothing. The history
 * row is read from the item in the batch that moves it, so parallel moves make a chain.
 */
export function moveTo(ctx: WriteCtx, id: number, target: Target, said?: string): SQLWrapper[] {
  const here = eq(workItems.id, id);
  const isThere = sql`(${workItems.state} = ${target.state} COLLATE NOCASE
    AND ${workItems.stateCategory} = ${target.category} AND ${workItems.status} IS ${target.status})`;
  const at = changeTime(ctx);
  const comment = sql`SELECT ${workItemComments.id} FROM ${workItemComments}
    WHERE ${workItemComments.operation} = ${ctx.call.id}`;
  return [
    requireState(target),
    ...(said === undefined ? [] : [insertComment(ctx, id, said)]),
    sql`INSERT INTO ${statusHistory} (work_item_id, from_state, from_category, to_state, to_category, status,
        changed_at, duration_seconds, comment_id, key_name)
      SELECT ${id}, ${workItems.state}, ${workItems.stateCategory}, ${target.state}, ${target.category}, ${target.status},
        ${at}, ${at} / 1000 - ${workItems.stateChangedAt} / 1000, (${comment}), ${ctx.actor.name}
      FROM ${workItems} WHERE ${here} AND NOT ${isThere}`,
    ctx.db
      .update(workItems)
      .set({
        state: target.state,
        stateCategory: target.category,
        status: target.status,
        stateChangedAt: at,
        startedAt: sql`iif(${target.category} IN ('in_progress', 'resolved', 'completed'),
          coalesce(${workItems.startedAt}, ${at}), ${workItems.startedAt})`,
        finishedAt: sql`iif(${target.category} = 'completed', coalesce(${workItems.finishedAt}, ${at}), NULL)`,
        ...touched(ctx),
      })
      .where(and(here, not(isThere))),
  ];
}
