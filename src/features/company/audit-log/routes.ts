import { Router } from "#api/operations/operation.ts";
import { AuditEntry, renderAudit } from "#shared/audit-entry.ts";
import { listAuditLog } from "./audit-log.ts";

export const auditLogRoutes = new Router("Settings: Company", "/audit-log").list({ listAuditLog }, "/", {
  summary: "Read the audit log",
  description:
    "Every write on the company's records, newest first. Writes on API keys are in `audit-log/keys`.",
  record: { schema: AuditEntry, render: renderAudit },
});
