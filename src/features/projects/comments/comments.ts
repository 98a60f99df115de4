import { eq, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { readListOf } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import type { RecordParams } from "../schema.ts";
import { requireRecord } from "../within-project.ts";
import { workItems } from "../work-items/tables.ts";
import type { CommentCreate } from "./schema.ts";
import { type CommentRow, insertComment, selectComments } from "./snapshot.ts";
import { workItemComments } from "./tables.ts";

/** The public thread of a work item, oldest first. */
export async function listComments(
  ctx: CallCtx,
  { project_id: projectId, id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<CommentRow>> {
  const item = sql`SELECT 1 FROM ${workItems} WHERE ${workItems.projectId} = ${projectId} AND ${workItems.id} = ${id}`;
  const tail = sql`${workItemComments.workItemId} = ${id} AND ${workItemComments.id} > ${idAbove(page)}
    ORDER BY ${workItemComments.id} LIMIT ${page.take}`;
  return readListOf(ctx, item, page, selectComments(tail));
}

export function createComment(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  { body, author }: CommentCreate,
): Promise<CommentRow> {
  return atomic(
    ctx,
    [requireRecord(workItems, projectId, id), insertComment(ctx, id, body, author)],
    selectComments(eq(workItemComments.operation, ctx.call.id)),
  );
}
