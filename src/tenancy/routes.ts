import type { Operation } from "#api/operations/operation.ts";
import { backlogRoutes } from "./backlog/backlog.ts";
import { closeCompany, getCompany, listCompanies, updateCompany } from "./companies/companies.ts";
import { createCompany, renderCreatedCompany } from "./companies/create-company.ts";
import { deleteCompany } from "./companies/delete-company.ts";
import { CreatedCompany, company } from "./companies/record.ts";
import { CompanyCreate, CompanyParams, CompanyPatch, DeletedCompany } from "./companies/schema.ts";
import { spareDatabaseRoutes } from "./companies/spare-database.ts";
import { ControlRouter } from "./control-router.ts";
import { createAdminKey } from "./keys/keys.ts";
import { IssuedKey, renderIssuedKey } from "./keys/record.ts";
import { migrationRoutes } from "./migrations/routes.ts";
import { registryRebuildRoutes } from "./registry-rebuild/routes.ts";
import { rolloutRoutes } from "./rollout/rollout.ts";
import { rotationRoutes } from "./rotation/rotation.ts";
import { upkeepRoutes } from "./upkeep/routes.ts";

const platformRoutes = new ControlRouter("Platform", "/companies", { record: company, params: CompanyParams })
  .create({ createCompany }, "/", {
    summary: "Open a company",
    description:
      "Makes and fills its database, and one secret key of every scope. Send an Idempotency-Key: a retry with it goes on where an attempt ended, and shows the key's secret again until that key is first used.",
    body: CompanyCreate,
    record: { schema: CreatedCompany, render: renderCreatedCompany },
    problems: ["conflict", "invalid_gstin", "invalid_state", "gstin_state_mismatch"],
  })
  .list({ listCompanies }, "/", { summary: "List the companies" })
  .get({ getCompany }, "/:slug", {
    summary: "Read a company",
    problems: ["company_not_found"],
  })
  .patch({ updateCompany }, "/:slug", {
    summary: "Rename, suspend or resume a company, or limit its keys",
    description:
      "Keys whose limits are above a ceiling are lowered to it at once. `max_calls_per_minute`, `max_messages_per_day` and `max_keys` bound the company as a whole, whatever its keys have; keys that are there already stay.",
    body: CompanyPatch,
    problems: ["company_not_found"],
  })
  .post({ closeCompany }, "/:slug/close", {
    summary: "Close a company for good",
    description:
      "Suspends it and revokes all of its keys at once; its slug stays taken, and its database is kept. A company that is closed by mistake needs `status: active` and a new administrator's key.",
    problems: ["company_not_found"],
  })
  .delete({ deleteCompany }, "/:slug", {
    summary: "Delete a throw-away company",
    description:
      "Only one that `company-ops doctor` opened, with all that is in it: its slug is `doctor-` and 16 hexadecimal digits. Any other company is refused with 409; suspend it.",
    record: { schema: DeletedCompany, render: ({ slug }) => ({ slug, deleted: true as const }) },
    problems: ["company_not_found", "conflict"],
  })
  .create({ createAdminKey }, "/:slug/keys", {
    summary: "Make an administrator's key",
    description:
      "A secret key of every scope, for a company that lost its own; the keys it has stay. A retry with the same Idempotency-Key shows the secret again until the key is first used.",
    record: { schema: IssuedKey, render: renderIssuedKey },
    problems: ["company_not_found"],
  });

/** The operator's operations on companies, keys and databases. */
export const tenancyRouters: readonly { readonly operations: readonly Operation[] }[] = [
  platformRoutes,
  migrationRoutes,
  rolloutRoutes,
  spareDatabaseRoutes,
  registryRebuildRoutes,
  rotationRoutes,
  backlogRoutes,
  upkeepRoutes,
];
