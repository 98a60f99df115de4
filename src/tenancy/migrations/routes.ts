import { Router } from "#api/operations/operation.ts";
import { CompanyParams } from "#tenancy/companies/schema.ts";
import type { ControlCtx } from "../context.ts";
import { controlMigrations, listUnmigrated, migrateCompany, migrateControl } from "./migrate-companies.ts";
import { Migrated, MigratedCompany, MigrationState, Unmigrated } from "./schema.ts";

/** What brings databases up to date: for the operator. */
export const migrationRoutes = new Router<ControlCtx>("Platform", "control")
  .add(
    {
      id: "getMigrations",
      method: "get",
      path: "/platform/migrations",
      summary: "Show what the control database lacks",
      scope: "platform",
      result: MigrationState,
      problems: ["conflict"],
      example: { result: { missing: [], durability: "strong" } },
      render: (row) => row,
    },
    controlMigrations,
  )
  .add(
    {
      id: "migrateControl",
      method: "post",
      changes: [],
      path: "/platform/migrations",
      summary: "Bring the control database up to date",
      description:
        "May be sent again at any time: what is done is not done twice. 409 `conflict`: the database was made by a version with another schema.",
      scope: "platform",
      idempotent: false,
      result: Migrated,
      problems: ["conflict"],
      example: { result: { id: "control", applied: ["01_core"], durability: "set" } },
      render: (row) => row,
    },
    migrateControl,
  )
  .add(
    {
      id: "migrateCompany",
      method: "post",
      changes: [],
      path: "/platform/companies/:slug/migrations",
      summary: "Bring a company's database up to date",
      description:
        "May be sent again at any time: what is done is not done twice. 409 `conflict`: the database was made by a version with another schema.",
      scope: "platform",
      idempotent: false,
      params: CompanyParams,
      result: MigratedCompany,
      problems: ["company_not_found", "conflict"],
      example: { result: { id: "meera", applied: [], durability: "strong", token: "kept" } },
      render: (row) => row,
    },
    migrateCompany,
  )
  .list(
    {
      id: "listUnmigrated",
      method: "get",
      path: "/platform/migrations/companies",
      summary: "List the companies whose databases are not up to date",
      description:
        "As the control database remembers it: a company is listed until `migrateCompany` has ended for it with the migrations and the `SQLD_DATABASE_TOKEN` of today. No company's database is asked.",
      scope: "platform",
      result: Unmigrated,
      example: { result: { slug: "meera" } },
      render: ({ slug }) => ({ slug }),
      sort: (row) => [row.id],
    },
    listUnmigrated,
  );
