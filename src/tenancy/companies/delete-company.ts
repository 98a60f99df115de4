import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import {
  abandonedDatabases,
  apiKeys,
  auditHeads,
  chatappNumbers,
  companies,
  companyUpkeep,
  erasures,
  failedUpgrades,
} from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { finished } from "./companies.ts";
import type { CompanyParams } from "./schema.ts";
import { removeAbandoned, type Undoing } from "./slug-reservations.ts";
import { isThrowAway, THROW_AWAY_GLOB } from "./throw-away.ts";

export type DeletedCompanyRow = { id: number; slug: string };
type Place = { id: number; databaseName: string };

/** A throw-away company that is older than this, in milliseconds, was left behind. */
const THROW_AWAY_MS = HOUR_MS;
const AT_ONCE = 5;
const OF_COMPANY = [apiKeys, chatappNumbers, auditHeads, companyUpkeep, erasures, failedUpgrades];
const place = { id: companies.id, databaseName: companies.databaseName };

/**
 * Deletes a throw-away company with its keys; its database is removed now or by the hourly jobs. Throws 409
 * `conflict` for any other company: what a real one keeps is never deleted.
 */
export async function deleteCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<DeletedCompanyRow> {
  if (!isThrowAway(slug)) {
    throw new Problem("conflict", {
      message: "Only a throw-away company of `company-ops doctor` is deleted; suspend any other",
    });
  }
  const [[found]] = await read(ctx, [ctx.db.select(place).from(companies).where(finished(slug))]);
  if (found === undefined) throw new Problem("company_not_found");
  const row = await atomic<DeletedCompanyRow>(
    ctx,
    [...deletion(ctx.database, found, ctx.now), refuseIfNone("not_found")],
    sql`SELECT json_object('id', ${found.id}, 'slug', ${slug})`,
    { not_found: () => new Problem("company_not_found") },
  );
  forgetCompany(slug);
  const { provisioner } = ctx.plane;
  await removeAbandoned({ control: ctx.database, provisioner, now: ctx.now }, found.databaseName);
  return row;
}

/** Deletes the throw-away companies of checks that were cut off. */
export async function sweepThrowAways(undoing: Undoing): Promise<void> {
  const { control, now } = undoing;
  const [dead] = await control.read([
    control.build
      .select(place)
      .from(companies)
      .where(
        and(
          sql`${companies.slug} GLOB ${THROW_AWAY_GLOB}`,
          ne(companies.status, "provisioning"),
          lt(companies.createdAt, now - THROW_AWAY_MS),
        ),
      )
      .limit(AT_ONCE),
  ]);
  for (const company of dead) {
    await control.write(deletion(control, company, now));
    await removeAbandoned(undoing, company.databaseName);
  }
}

/** The statements of a deletion; the last one deletes the company. */
function deletion({ build }: Database, { id, databaseName }: Place, now: number) {
  return [
    ...OF_COMPANY.map((table) => build.delete(table).where(eq(table.companyId, id))),
    sql`INSERT OR IGNORE INTO ${abandonedDatabases} (name, tried_at) VALUES (${databaseName}, ${now})`,
    sql`INSERT OR IGNORE INTO ${abandonedDatabases} (name, tried_at)
      SELECT ${companies.spareDatabaseName}, ${now} FROM ${companies}
      WHERE ${companies.id} = ${id} AND ${companies.spareDatabaseName} IS NOT NULL`,
    build.delete(companies).where(eq(companies.id, id)),
  ];
}
