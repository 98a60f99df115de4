import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { lessonEarnings } from "#tables/lessons";

/** What was earned by a lesson, which was not given after all. */
export function takeBackEarning(ctx: CallCtx, bookingId: string): SQL {
  return sql`UPDATE ${lessonEarnings} SET removed_by = ${ctx.call.id}
    WHERE ${lessonEarnings.bookingId} = ${bookingId} AND ${lessonEarnings.removedBy} IS NULL`;
}

/** The earnings that this call took back, as the documents whose entries are to be reversed. */
export function removedEarnings(ctx: CallCtx) {
  return {
    sourceType: "lesson",
    ids: sql`SELECT ${lessonEarnings.id} FROM ${lessonEarnings} WHERE ${lessonEarnings.removedBy} = ${ctx.call.id}`,
  } as const;
}
