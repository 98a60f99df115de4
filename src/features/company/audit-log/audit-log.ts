import { sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { jsonObject, once } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { AuditEntry, type AuditRow, renderAudit } from "#shared/audit-entry.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { auditChanges, auditLog } from "#tables/core";

const { id, at, actor, action, record, requestId, note } = auditLog;
const changed = sql<AuditRow["changed"]>`json(${auditChanges.fields})`;
const kept = sql<AuditRow["kept"]>`json(${auditChanges.kept})`;
const columns = once(() => jsonObject({ id, at, actor, action, record, requestId, note, changed, kept }));

export const auditLogRoutes = new Router("Settings: Company", "/audit-log").list({ listAuditLog }, "/", {
  summary: "Read the audit log",
  description:
    "Every write on the company's records, newest first. Writes on API keys are in `audit-log/keys`.",
  record: { schema: AuditEntry, render: renderAudit },
});

/** Every write on the company's records, newest first. */
async function listAuditLog(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<AuditRow>> {
  const select = sql<AuditRow>`SELECT ${columns()} AS snapshot FROM ${auditLog} LEFT JOIN ${auditChanges} ON ${auditChanges.auditId} = ${id}
    WHERE ${id} < ${idBelow(page)} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}
