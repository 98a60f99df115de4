import { and, eq, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { Problem } from "#shared/problem.ts";
import { companies, companyUpkeep } from "#tables/tenancy";
import { finished } from "#tenancy/companies/companies.ts";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import { conflict, spareStateOf } from "#tenancy/companies/spare-state.ts";
import type { Provisioner } from "#tenancy/provision/index.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { encryptToken } from "./migrate-companies.ts";

export type RenewedTokenRow = { slug: string; token: "renewed" | "shared" };

/**
 * Gives a company's database, and its spare one, a new token, which is kept once it has opened the database. The one
 * before goes on until it expires, so no call fails. Changes nothing where all databases have one token.
 */
export async function renewToken(ctx: ControlCtx, { slug }: CompanyParams): Promise<RenewedTokenRow> {
  const provisioner = await ctx.plane.provisioner();
  const found = await spareStateOf(ctx, slug);
  if (found === undefined) throw new Problem("company_not_found");
  if (provisioner.token !== "") return { slug, token: "shared" };
  const { own, spare, isMade } = found;
  const token = await newToken(ctx, provisioner, slug, own);
  // One that was lost opens no more.
  const spareToken =
    spare === null || !isMade
      ? undefined
      : await newToken(ctx, provisioner, slug, spare).catch(() => undefined);
  const isUnchanged = and(finished(slug), eq(companies.databaseName, own));
  const [, , here] = await ctx.database.write([
    ctx.db.update(companies).set({ databaseToken: token }).where(isUnchanged),
    sql`INSERT INTO ${companyUpkeep} (company_id, token_renewed_at)
      SELECT ${companies.id}, ${ctx.now} FROM ${companies} WHERE ${isUnchanged}
      ON CONFLICT (company_id) DO UPDATE SET token_renewed_at = excluded.token_renewed_at`,
    sql`SELECT 1 FROM ${companies} WHERE ${isUnchanged}`,
    ...(spareToken === undefined
      ? []
      : [
          ctx.db
            .update(companies)
            .set({ spareDatabaseToken: spareToken })
            .where(and(isUnchanged, sql`${companies.spareDatabaseName} = ${spare}`)),
        ]),
  ]);
  forgetCompany(slug);
  if (here?.rows.length === 0) throw conflict(`${slug} has got another database meanwhile: send this again`);
  return { slug, token: "renewed" };
}

/** A new token of the database, encrypted; throws where it does not open it. */
async function newToken(
  ctx: ControlCtx,
  provisioner: Provisioner,
  slug: string,
  name: string,
): Promise<string> {
  const address = await provisioner.address(name);
  const database = new Database(address);
  await database.read([database.build.all(sql`SELECT 1`)]);
  return encryptToken(ctx, slug, address.token);
}
