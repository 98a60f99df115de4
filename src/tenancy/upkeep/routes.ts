import { CompanyParams } from "#tenancy/companies/schema.ts";
import { ControlRouter } from "../control-router.ts";
import { Backup, BackupRecord, CompanyStatus } from "./schema.ts";
import { getCompanyStatus, renderStatus } from "./status.ts";
import { recordBackup, renderBackup } from "./upkeep.ts";

const TAKEN_AT = "2026-11-21T02:00:00.000Z";
const statusExample = {
  slug: "meera",
  status: "active" as const,
  reachable: true,
  schema: "current" as const,
  bytes: 3_309_568,
  blocked: "none" as const,
  fault: null,
  breaker: { reads: "closed" as const, writes: "closed" as const },
  waiting: 0,
  overdue: 0,
  oldest_at: null,
  oldest_seconds: null,
  providers: [],
  backed_up_at: TAKEN_AT,
  backup_bytes: 183_201,
  checked_at: "2026-11-21T03:00:00.000Z",
  broken_rules: 0,
};

/** How companies stand, and the backups that were made of them: for the operator. */
export const upkeepRoutes = new ControlRouter("Platform", "/companies", {
  params: CompanyParams,
  problems: ["company_not_found"],
})
  .get({ getCompanyStatus }, "/:slug/status", {
    summary: "Show how a company stands",
    description:
      "Its schema and size, the circuit breakers before its database, what waits, and when it was last backed up and checked. Asks its database once, and tries an empty write.",
    record: { schema: CompanyStatus, render: renderStatus },
    example: { result: statusExample },
  })
  .post({ recordBackup }, "/:slug/backups", {
    summary: "Record that a company was backed up",
    description: "`company-ops backup` sends it. The newest is kept; an earlier one changes nothing.",
    idempotent: false,
    body: BackupRecord,
    record: { schema: Backup, render: renderBackup },
    example: {
      body: { taken_at: TAKEN_AT, bytes: 183_201 },
      result: { slug: "meera", taken_at: TAKEN_AT, bytes: 183_201 },
    },
  });
