import { LibsqlError } from "@libsql/client/http";
import { and, eq, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import type { Upgrade } from "#durable";
import { COMPANY_MIGRATIONS } from "#migrations";
import { Problem } from "#shared/problem.ts";
import { companies, failedUpgrades, rollouts } from "#tables/tenancy";
import type { Provisioner } from "#tenancy/provision/index.ts";
import type { Directory } from "../directory.ts";
import { decryptFor, tokenPlace } from "../secret-kinds.ts";
import { MigrationFailed, migrate } from "./migrate.ts";
import { schemaNumber } from "./schema-number.ts";

/** What an upgrade needs: where the registry is, and what knows the token of today. */
export type Means = { directory: Directory; provisioner: () => Promise<Provisioner> };

/**
 * Brings a company's database to the schema of this release, if the rollout includes the company, and records how that
 * ended. Its clock object calls this, once at a time. Never throws.
 */
export async function upgrade(means: Means, slug: string, now: number): Promise<Upgrade> {
  const control = new Database(means.directory.control);
  const nothing = { applied: [], schemaNumber: schemaNumber() };
  try {
    const found = await companyOf(control, slug);
    if (found === undefined || found.url === null) return { end: "unavailable", ...nothing };
    if (!isIncluded(found, slug)) return { end: "held", ...nothing };
    const address = { url: found.url, token: await tokenOf(means, slug, found.url, found.token) };
    const applied = await migrate(new Database(address), COMPANY_MIGRATIONS, now);
    const isStillHere = and(eq(companies.id, found.id), eq(companies.databaseUrl, found.url));
    await control.write([
      control.build
        .update(companies)
        .set({ schemaNumber: sql`max(${companies.schemaNumber}, ${schemaNumber()})` })
        .where(isStillHere),
      control.build.delete(failedUpgrades).where(eq(failedUpgrades.companyId, found.id)),
    ]);
    return { ...nothing, end: "done", applied };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === "conflict") logFault("upgrade", error);
    if (!isOfTheDatabase(error)) return { end: "unavailable", ...nothing };
    await recordFailure(control, slug, error.message, now).catch((fault) => logFault("upgrade", fault));
    return { end: "failed", ...nothing, error: error.message };
  }
}

/** Whether the error says that these migrations do not fit this database, and would not another time. */
function isOfTheDatabase(error: unknown): error is Error {
  if (error instanceof Problem) return error.code === "conflict";
  return (
    error instanceof MigrationFailed &&
    error.cause instanceof LibsqlError &&
    error.cause.code.startsWith("SQL")
  );
}

type Found = NonNullable<Awaited<ReturnType<typeof companyOf>>>;

async function companyOf(control: Database, slug: string) {
  const [[found]] = await control.read([
    control.build
      .select({
        id: companies.id,
        url: companies.databaseUrl,
        token: companies.databaseToken,
        number: companies.schemaNumber,
        state: rollouts.state,
        canaries: rollouts.canaries,
      })
      .from(companies)
      .leftJoin(rollouts, eq(rollouts.schemaNumber, schemaNumber()))
      .where(eq(companies.slug, slug)),
  ]);
  return found;
}

function isIncluded({ number, state, canaries }: Found, slug: string): boolean {
  if (number >= schemaNumber() || state === null || state === "open") return true;
  return state === "canary" && (JSON.parse(canaries ?? "[]") as string[]).includes(slug);
}

async function tokenOf(
  { directory, provisioner }: Means,
  slug: string,
  url: string,
  encrypted: string | null,
): Promise<string> {
  const shared = (await provisioner()).sharedToken(url);
  if (shared !== undefined) return shared;
  return encrypted === null ? "" : decryptFor(directory, tokenPlace(slug), encrypted);
}

/** The third failure stops the rollout, by a trigger. */
async function recordFailure(control: Database, slug: string, error: string, now: number): Promise<void> {
  await control.write([
    sql`INSERT OR REPLACE INTO ${failedUpgrades} (company_id, schema_number, error, failed_at)
      SELECT ${companies.id}, ${schemaNumber()}, ${error}, ${now} FROM ${companies}
      WHERE ${companies.slug} = ${slug} AND ${companies.schemaNumber} < ${schemaNumber()}`,
  ]);
}
