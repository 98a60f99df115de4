import { type Operation, Router } from "#api/operations/operation.ts";
import { backlogRoutes } from "./backlog/routes.ts";
import { closeCompany } from "./companies/close-company.ts";
import { getCompany, listCompanies, updateCompany } from "./companies/companies.ts";
import { createCompany, renderCreatedCompany } from "./companies/create-company.ts";
import { deleteCompany } from "./companies/delete-company.ts";
import { companyExample, createdCompanyExample, newCompanyExample } from "./companies/examples.ts";
import { CreatedCompany, company } from "./companies/record.ts";
import { CompanyCreate, CompanyParams, CompanyPatch, DeletedCompany } from "./companies/schema.ts";
import { spareDatabaseRoutes } from "./companies/spare-routes.ts";
import type { ControlCtx } from "./context.ts";
import { adminKeyExample } from "./keys/examples.ts";
import { createAdminKey } from "./keys/keys.ts";
import { IssuedKey, renderIssuedKey } from "./keys/record.ts";
import { migrationRoutes } from "./migrations/routes.ts";
import { registryRebuildRoutes } from "./registry-rebuild/routes.ts";
import { rolloutRoutes } from "./rollout/routes.ts";
import { rotationRoutes } from "./rotation/routes.ts";
import { upkeepRoutes } from "./upkeep/routes.ts";

const platformRoutes = new Router<ControlCtx>("Platform", "control")
  .add(
    {
      id: "createCompany",
      method: "post",
      path: "/platform/companies",
      summary: "Open a company",
      description:
        "Makes and fills its database, and one secret key of every scope. Send an Idempotency-Key: a retry with it goes on where an attempt ended, and shows the key's secret again until that key is first used.",
      scope: "platform",
      body: CompanyCreate,
      result: CreatedCompany,
      status: 201,
      problems: ["conflict", "invalid_gstin", "invalid_state", "gstin_state_mismatch"],
      example: { body: newCompanyExample, result: createdCompanyExample },
      render: renderCreatedCompany,
    },
    createCompany,
  )
  .list(
    {
      id: "listCompanies",
      path: "/platform/companies",
      summary: "List the companies",
      scope: "platform",
      record: company,
      example: { result: companyExample },
    },
    listCompanies,
  )
  .add(
    {
      id: "getCompany",
      method: "get",
      path: "/platform/companies/:slug",
      summary: "Read a company",
      scope: "platform",
      params: CompanyParams,
      record: company,
      problems: ["company_not_found"],
      example: { result: companyExample },
    },
    getCompany,
  )
  .add(
    {
      id: "updateCompany",
      method: "patch",
      path: "/platform/companies/:slug",
      summary: "Rename, suspend or resume a company, or limit its keys",
      description:
        "Keys whose limits are above a ceiling are lowered to it at once. `max_calls_per_minute`, `max_messages_per_day` and `max_keys` bound the company as a whole, whatever its keys have; keys that are there already stay.",
      scope: "platform",
      params: CompanyParams,
      body: CompanyPatch,
      record: company,
      problems: ["company_not_found", "no_accepted_fields"],
      example: { body: { status: "suspended" }, result: { ...companyExample, status: "suspended" } },
    },
    updateCompany,
  )
  .add(
    {
      id: "closeCompany",
      method: "post",
      path: "/platform/companies/:slug/close",
      summary: "Close a company for good",
      description:
        "Suspends it and revokes all of its keys at once; its slug stays taken, and its database is kept. A company that is closed by mistake needs `status: active` and a new administrator's key.",
      scope: "platform",
      params: CompanyParams,
      record: company,
      problems: ["company_not_found"],
      example: { result: { ...companyExample, status: "suspended" } },
    },
    closeCompany,
  )
  .add(
    {
      id: "deleteCompany",
      method: "delete",
      path: "/platform/companies/:slug",
      summary: "Delete a throw-away company",
      description:
        "Only one that `company-ops doctor` opened, with all that is in it: its slug is `doctor-` and 16 hexadecimal digits. Any other company is refused with 409; suspend it.",
      scope: "platform",
      params: CompanyParams,
      result: DeletedCompany,
      problems: ["company_not_found", "conflict"],
      example: { result: { slug: "doctor-0123456789abcdef", deleted: true } },
      render: ({ slug }) => ({ slug, deleted: true as const }),
    },
    deleteCompany,
  )
  .add(
    {
      id: "createAdminKey",
      method: "post",
      path: "/platform/companies/:slug/keys",
      summary: "Make an administrator's key",
      description:
        "A secret key of every scope, for a company that lost its own; the keys it has stay. A retry with the same Idempotency-Key shows the secret again until the key is first used.",
      scope: "platform",
      params: CompanyParams,
      result: IssuedKey,
      status: 201,
      problems: ["company_not_found"],
      example: { result: adminKeyExample },
      render: renderIssuedKey,
    },
    createAdminKey,
  );

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
