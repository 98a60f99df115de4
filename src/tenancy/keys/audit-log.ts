import { sql } from "drizzle-orm";
import { readList } from "#core/sql/read-records.ts";
import type { AuditRow } from "#shared/audit-entry.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { auditChanges, auditLog } from "#tables/core";
import type { ControlCtx } from "../context.ts";

/** Every change of the company's keys, newest first; a key stands in the log behind its company's slug. */
export async function listKeyAuditLog(
  ctx: ControlCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<AuditRow>> {
  const prefix = `${ctx.company.slug}/`;
  // The log is of all companies: without the index by record it would be walked from its end.
  const select = sql<AuditRow>`
    SELECT json_object('id', id, 'at', at, 'actor', actor, 'action', action,
      'record', substr(record, ${prefix.length + 1}), 'requestId', request_id, 'note', note,
      'changed', json(fields), 'kept', json(kept)) AS snapshot
    FROM ${auditLog} INDEXED BY audit_log_record LEFT JOIN ${auditChanges} ON audit_id = id
    WHERE record >= ${prefix} AND record < ${`${ctx.company.slug}0`} AND id < ${idBelow(page)}
    ORDER BY id DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}
