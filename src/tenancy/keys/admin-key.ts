import { read } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { finished } from "#tenancy/companies/companies.ts";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import type { ControlCtx } from "../context.ts";
import { companies } from "../tables.ts";
import { ADMINISTRATOR } from "./insert-key.ts";
import { createKey, type IssuedKeyRow } from "./keys.ts";

/** Makes a key of every scope for a company that lost its own; the keys it has stay. */
export async function createAdminKey(ctx: ControlCtx, { slug }: CompanyParams): Promise<IssuedKeyRow> {
  const [[found]] = await read(ctx, [
    ctx.db.select({ id: companies.id }).from(companies).where(finished(slug)),
  ]);
  if (found === undefined) throw new Problem("company_not_found");
  const company = { ...ctx.company, id: found.id, slug };
  const call = { ...ctx.call, auditPrefix: `${slug}/` };
  return createKey({ ...ctx, company, call }, {}, ADMINISTRATOR);
}
