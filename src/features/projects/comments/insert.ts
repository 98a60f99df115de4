import type { WriteCtx } from "#core/context.ts";
import { workItemComments } from "#tables/projects";

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
