import { type SQL, sql } from "drizzle-orm";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { auditLog, operations } from "#tables/core";
import type { Ctx, WriteCtx } from "../context.ts";

type AuditRow = Record<"actor" | "name" | "prefix" | "requestId" | "idempotencyRecordKey", string> & {
  now: number;
};

// A database that is not migrated yet has no column for a note: a write without one does not name it.
const insertAudit = keptStatement((given: Given<AuditRow>) => auditInsert(given, sql``, sql``));
const insertNotedAudit = keptStatement((given: Given<AuditRow & { note: string }>) =>
  auditInsert(given, sql`, note`, sql`, ${given.note}`),
);

/** The statement that records what is done to many records at once; `records` is a SELECT of their ids, named `id`. */
export function auditEach(
  { now, actor, requestId }: Pick<Ctx, "now" | "actor" | "requestId">,
  action: string,
  records: SQL,
): SQL {
  return sql`INSERT INTO ${auditLog} (at, actor, action, record, request_id)
    SELECT ${now}, ${actor.id}, ${action}, id, ${requestId} FROM (${records})`;
}

/** The audit row of a call. A snapshot that found no record has no id, and a row without one breaks NOT NULL: the batch ends as `not_found`. */
export function auditRow(ctx: WriteCtx, note: string | null): SQL {
  const { name, idempotencyRecordKey, auditPrefix } = ctx.call;
  const row = {
    now: ctx.now,
    actor: ctx.actor.id,
    name,
    prefix: auditPrefix,
    requestId: ctx.requestId,
    idempotencyRecordKey,
  };
  return note === null ? insertAudit(row) : insertNotedAudit({ ...row, note });
}

function auditInsert(given: Given<AuditRow>, column: SQL, note: SQL): SQL {
  return sql`INSERT INTO ${auditLog} (at, actor, action, record, request_id${column})
    SELECT ${given.now}, ${given.actor}, ${given.name}, ${given.prefix} || json_extract(snapshot, '$.id'),
      ${given.requestId}${note}
    FROM ${operations} WHERE scope = ${given.idempotencyRecordKey}`;
}
