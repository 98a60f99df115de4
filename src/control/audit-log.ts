import { sql } from "drizzle-orm";
import { read } from "#platform/operation-memory.ts";
import { auditLog } from "#platform/tables.ts";
import type { AuditRow } from "#shared/audit-entry.ts";
import { idBelow, type Page } from "#shared/page.ts";
import type { ControlCtx } from "./plane.ts";

/** Every change of the company's keys, newest first; a key stands in the log behind its company's slug. */
export async function listKeyAuditLog(
  ctx: ControlCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<AuditRow[]> {
  const prefix = `${ctx.company.slug}/`;
  // The log is of all companies: without the index by record it would be walked from its end.
  const select = ctx.db.all<AuditRow>(sql`
    SELECT id, at, actor, action, substr(record, ${prefix.length + 1}) AS record, request_id AS "requestId"
    FROM ${auditLog} INDEXED BY audit_log_record
    WHERE record >= ${prefix} AND record < ${`${ctx.company.slug}0`} AND id < ${idBelow(page)}
    ORDER BY id DESC LIMIT ${page.take}`);
  const [rows] = await read(ctx, [select]);
  return rows;
}
