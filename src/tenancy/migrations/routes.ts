import * as z from "zod";
import { CompanyParams } from "#tenancy/companies/schema.ts";
import { ControlRouter } from "../control-router.ts";
import { controlMigrations, listUnmigrated, migrateCompany, migrateControl } from "./migrate-companies.ts";
import { renewToken } from "./renew-token.ts";

const Migrated = z
  .object({
    id: z.string().meta({ description: "`control`, or the company's slug." }),
    applied: z.array(z.string()).meta({ description: "The migrations that were missing, in order." }),
    durability: z.enum(["strong", "set", "unmanaged"]).meta({
      description:
        "`strong`: commits survived a power cut before; `set`: sqld was set so that they do from now on; `unmanaged`: the database is not one of `SQLD_DATABASE_URL`.",
    }),
  })
  .meta({ id: "MigratedDatabase" });
const MigratedCompany = Migrated.extend({
  token: z.enum(["kept", "renewed"]).meta({
    description:
      "`renewed`: the company's database was opened by an older token, and from now on by `SQLD_DATABASE_TOKEN`.",
  }),
}).meta({ id: "MigratedCompany" });
const RenewedToken = z
  .object({
    slug: z.string(),
    token: z.enum(["renewed", "shared"]).meta({
      description: "`shared`: all databases have `SQLD_DATABASE_TOKEN`, which `migrateCompany` keeps.",
    }),
  })
  .meta({ id: "RenewedDatabaseToken" });
const Unmigrated = z.object({ slug: z.string() }).meta({ id: "UnmigratedCompany" });
const MigrationState = z
  .object({
    missing: z.array(z.string()).describe("The migrations of the control database that are due."),
    durability: z.enum(["strong", "relaxed", "unmanaged", "unknown"]).meta({
      description:
        "`strong`: its commits survive a power cut; `unmanaged`: the database is not one of `SQLD_DATABASE_URL`; `unknown`: the database provider did not say.",
    }),
  })
  .meta({ id: "MigrationState" });

/** What brings databases up to date: for the operator. */
export const migrationRoutes = new ControlRouter("Platform", "/", { params: CompanyParams })
  .get({ getMigrations: controlMigrations }, "/migrations", {
    summary: "Show what the control database lacks",
    record: { schema: MigrationState, render: (row) => row },
    problems: ["conflict"],
  })
  .post({ migrateControl }, "/migrations", {
    summary: "Bring the control database up to date",
    description:
      "May be sent again at any time: what is done is not done twice. 409 `conflict`: the database was made by a version with another schema.",
    idempotent: false,
    record: { schema: Migrated, render: (row) => row },
    problems: ["conflict"],
  })
  .post({ migrateCompany }, "/companies/:slug/migrations", {
    summary: "Bring a company's database up to date",
    description:
      "May be sent again at any time: what is done is not done twice. 409 `conflict`: the database was made by a version with another schema.",
    idempotent: false,
    record: { schema: MigratedCompany, render: (row) => row },
    problems: ["company_not_found", "conflict"],
  })
  .post({ renewDatabaseToken: renewToken }, "/companies/:slug/database-token", {
    summary: "Give a company's database a new token",
    description:
      "On Turso, where each database has a token of its own. The new one is kept once it has opened the database; the one before goes on until it expires, so that no call fails. May be sent again at any time.",
    idempotent: false,
    record: { schema: RenewedToken, render: (row) => row },
    problems: ["company_not_found", "conflict"],
  })
  .list({ listUnmigrated }, "/migrations/companies", {
    summary: "List the companies whose databases are not up to date",
    description:
      "As the control database remembers it: a company is listed until `migrateCompany` has ended for it with the migrations and the `SQLD_DATABASE_TOKEN` of today. No company's database is asked.",
    record: { schema: Unmigrated, render: ({ slug }) => ({ slug }) },
  });
