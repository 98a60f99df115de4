import { type SQL, sql } from "drizzle-orm";
import { auditLog } from "#tables/core";
import type { Ctx } from "../context.ts";

/** The statement that records what is done to many records at once; `records` is a SELECT of their ids, named `id`. */
export function auditEach(
  { now, actor, requestId }: Pick<Ctx, "now" | "actor" | "requestId">,
  action: string,
  records: SQL,
): SQL {
  return sql`INSERT INTO ${auditLog} (at, actor, action, record, request_id)
    SELECT ${now}, ${actor.id}, ${action}, id, ${requestId} FROM (${records})`;
}
