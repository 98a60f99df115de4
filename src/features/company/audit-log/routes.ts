import { Router } from "#contract/operation.ts";
import { AuditEntry, auditExample, renderAudit } from "#shared/audit-entry.ts";
import { listAuditLog } from "./audit-log.ts";

export const auditLogRoutes = new Router("Settings: Company").list(
  {
    id: "listAuditLog",
    method: "get",
    path: "/settings/:company/audit-log",
    summary: "Read the audit log",
    description:
      "Every write on the company's records, newest first. Those on API keys stand in `audit-log/keys`.",
    scope: "settings:read",
    result: AuditEntry,
    example: { result: auditExample },
    render: renderAudit,
    sort: (row) => [row.id],
  },
  listAuditLog,
);
