import { and, eq, sql } from "drizzle-orm";
import { atomic } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { idAbove, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { requireRecord } from "../read.ts";
import type { RecordParams } from "../schema.ts";
import { workItemComments, workItems } from "../tables.ts";
import type { CommentCreate } from "./schema.ts";
import { type CommentRow, insertComment, selectComments } from "./snapshot.ts";

/** The public thread of a work item, oldest first. */
export async function listComments(
  ctx: Ctx,
  { project_id: projectId, id }: RecordParams,
  { page }: { page: Page },
): Promise<CommentRow[]> {
  const item = ctx.db
    .select({ id: workItems.id })
    .from(workItems)
    .where(and(eq(workItems.projectId, projectId), eq(workItems.id, id)));
  const tail = sql`${workItemComments.workItemId} = ${id} AND ${workItemComments.id} > ${idAbove(page)}
    ORDER BY ${workItemComments.id} LIMIT ${page.take}`;
  const [found, rows] = await read(ctx, [item, jsonQuery(ctx, selectComments(tail))]);
  if (found.length === 0) throw new Problem("not_found");
  return parseRows(rows);
}

export function createComment(
  ctx: Ctx,
  { project_id: projectId, id }: RecordParams,
  { body, author }: CommentCreate,
): Promise<CommentRow> {
  return atomic(
    ctx,
    [requireRecord(workItems, projectId, id), insertComment(ctx, id, body, author)],
    selectComments(eq(workItemComments.operation, ctx.operation.id)),
  );
}
