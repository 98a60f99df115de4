import * as z from "zod";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { CompanyParams } from "#tenancy/companies/schema.ts";
import { ControlRouter } from "#tenancy/control-router.ts";
import { type AccessRow, checkAccess } from "./check-access.ts";

const Opened = z.object({
  column: z.string().meta({ description: "Table and column, such as `gateway_accounts.credentials`." }),
  tried: z.int().meta({ description: "How many values were tried: at most the 20 newest." }),
  unopened: z.int().meta({ description: "How many of them no master key opens." }),
  keys: z.array(z.string()).meta({
    description: "The ids of the master keys that those need, as `GET /platform/key-rotation` shows them.",
  }),
});
const Access = z
  .object({
    slug: z.string(),
    works: z.boolean().describe("Whether calls of the company are answered."),
    fault: z.string().nullable().meta({
      description:
        "Why calls of the company fail: `no_key_opens` (no master key opens its token), `not_migrated`, `unavailable` (its database does not answer), `database_damaged` (its file is damaged), `database_empty` (it has no tables: its files are gone), `database_missing` (its server does not know it), `database_closed` (its server refuses our token, or cannot read or write its files), `database_replaced` (another database has its place), `database_blocked` (the operator of its server blocks it), `writes_unavailable` (its reads are answered, and its writes are not), `writes_blocked` (the operator blocks its writes alone) or `internal_error`.",
    }),
    encrypted: z.array(Opened),
  })
  .meta({ id: "AccessCheck" });

/** The operator's trial of one company; `kinds` is all that is encrypted in a company's database. */
export function accessRoutes(kinds: readonly SecretKind[]) {
  return new ControlRouter("Platform", "/companies").get(
    { checkAccess: (ctx, { slug }): Promise<AccessRow> => checkAccess(ctx, slug, kinds) },
    "/:slug/access",
    {
      summary: "Try to open a company",
      description:
        "Opens the company's database as its calls do, with nothing remembered, and tries to open the newest encrypted values of each kind, and an empty write. Changes nothing.",
      params: CompanyParams,
      record: { schema: Access, render: (row: AccessRow) => ({ ...row, works: row.fault === null }) },
      problems: ["company_not_found"],
    },
  );
}
