import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { type FieldRow, selectFields } from "./snapshot.ts";
import { instructorFields } from "./tables.ts";

/** The custom fields that instructors can be chosen by, in the order they were made. */
export async function listInstructorFields(ctx: CallCtx): Promise<FieldRow[]> {
  const tail = sql`true ORDER BY ${instructorFields.id}`;
  return readAll(ctx, selectFields(tail));
}
