import { CompanyParams } from "#tenancy/companies/schema.ts";
import { ControlRouter } from "../control-router.ts";
import { Backup, BackupRecord, CompanyStatus } from "./schema.ts";
import { getCompanyStatus, renderStatus } from "./status.ts";
import { recordBackup, renderBackup } from "./upkeep.ts";

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
  })
  .post({ recordBackup }, "/:slug/backups", {
    summary: "Record that a company was backed up",
    description: "`company-ops backup` sends it. The newest is kept; an earlier one changes nothing.",
    idempotent: false,
    body: BackupRecord,
    record: { schema: Backup, render: renderBackup },
  });
