import { Router } from "#api/operations/operation.ts";
import { AuditEntry, auditExample, renderAudit } from "#shared/audit-entry.ts";
import { listAuditLog } from "./audit-log.ts";

export const auditLogRoutes = new Router("Settings: Company").list(
  {
    id: "listAuditLog",
    path: "/settings/:company/audit-log",
    summary: "Read the audit log",
    description:
      "Every write on the company's records, newest first. Writes on API keys are in `audit-log/keys`.",
    scope: "settings:read",
    result: AuditEntry,
    example: { result: auditExample },
    render: renderAudit,
  },
  listAuditLog,
);
