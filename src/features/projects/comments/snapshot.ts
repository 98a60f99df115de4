import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { workItemComments } from "./tables.ts";

const shape = {
  id: workItemComments.id,
  body: workItemComments.body,
  author: workItemComments.author,
  created_at: workItemComments.createdAt,
};
export type CommentRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of comments of the public thread: internal notes are never among them. */
export function selectComments(tail: SQL): SQL<CommentRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${workItemComments}
    WHERE ${workItemComments.isInternal} = 0 AND ${tail}`;
}

/** The statement that puts a comment under an item, signed with the key's name unless `author` is given. */
export function insertComment(ctx: WriteCtx, workItemId: number, body: string, author?: string) {
  return ctx.db.insert(workItemComments).values({
    operation: ctx.call.id,
    workItemId,
    body,
    author: author ?? ctx.actor.name,
    createdAt: ctx.now,
  });
}

export function renderComment(row: CommentRow) {
  return { ...row, created_at: timestampToWire(row.created_at) };
}
