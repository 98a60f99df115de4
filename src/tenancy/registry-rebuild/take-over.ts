import { eq, type SQL, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { companies } from "#tables/tenancy";
import { forgetHead } from "#tenancy/companies/use-spare-database.ts";
import { shutOutLost } from "#tenancy/generations/places.ts";
import { putInPlace } from "#tenancy/generations/put-in-place.ts";
import { leadsTo, lookAt, readStanding, takenPlace } from "#tenancy/generations/standing.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import type { ControlCtx } from "../context.ts";
import type { Known, KnownCompany } from "./known-rows.ts";
import type { Copies } from "./read-copies.ts";

/** Which database has taken the place of this one, and why that cannot say so; null where none has, or that is lost. */
export async function replacerOf(
  ctx: ControlCtx,
  { mark }: Copies,
  lost: string | undefined,
): Promise<{ by: string; trouble: string | null } | null> {
  if (mark === null || mark.by === lost) return null;
  const taken = await takenPlace(ctx, mark);
  if (taken === "no") return null;
  return { by: mark.by, trouble: taken === "yes" ? null : taken.trouble };
}

/** Whether a spare or abandoned database has no place of a company's own: neither this nor the marks give it one. */
export async function isLeft(
  ctx: ControlCtx,
  name: string,
  { keeper, isAbandoned }: Pick<Known, "keeper" | "isAbandoned">,
  lost: string | undefined,
): Promise<boolean> {
  if (isAbandoned) return true;
  return keeper !== undefined && !(await hasPlaceOf(ctx, keeper, name, lost));
}

/**
 * The company whose place in the control database is another one's than this database, which has replaced that: its own
 * says so, or the operator says that this is lost.
 */
export async function replacedCompany(
  ctx: ControlCtx,
  name: string,
  { company, rival }: Known,
  { company: copy }: Copies,
  lost: string | undefined,
): Promise<KnownCompany | undefined> {
  if (company !== undefined || rival === undefined) return undefined;
  if (rival.slug !== copy.slug || rival.id !== copy.company_id) return undefined;
  return (await hasPlaceOf(ctx, rival, name, lost)) ? rival : undefined;
}

async function hasPlaceOf(
  ctx: ControlCtx,
  { database }: KnownCompany,
  name: string,
  lost: string | undefined,
): Promise<boolean> {
  if (!("trouble" in (await lookAt(ctx, database)))) return leadsTo(ctx, database, name);
  if (lost !== database) return false;
  await shutOutLost(ctx, database);
  return true;
}

/** Gives a database its place where a replacement of it was begun and not completed, or its replacement is lost. */
export async function endBegunReplacement(
  ctx: ControlCtx,
  name: string,
  { mark, address, company }: Copies,
  { known = 1, lost }: { known: number | undefined; lost: string | undefined },
): Promise<void> {
  if (mark === null) return;
  const other = await lookAt(ctx, mark.by);
  const previous = "trouble" in other ? undefined : { name: mark.by, database: other.database };
  const next = { name, database: new Database(address) };
  await putInPlace(ctx, company.slug, { next, previous, known, lost });
}

/** The statements that give a company this database; the one that it has here is its spare one then. */
export async function takeOver(
  ctx: ControlCtx,
  name: string,
  { id, slug }: KnownCompany,
  { url, token }: Copies["address"],
): Promise<SQL[]> {
  const standing = await readStanding(new Database({ url, token }));
  return [
    ctx.db
      .update(companies)
      .set({
        databaseName: name,
        databaseUrl: url,
        databaseToken: await encryptToken(ctx, slug, token),
        spareDatabaseName: companies.databaseName,
        spareDatabaseUrl: sql`${companies.databaseUrl}`,
        spareDatabaseToken: sql`${companies.databaseToken}`,
        databaseGeneration: sql`max(${companies.databaseGeneration}, ${standing?.generation ?? 1})`,
        migratedAs: null,
        schemaNumber: 0,
        updatedAt: ctx.now,
      })
      .where(eq(companies.id, id))
      .getSQL(),
    forgetHead(slug),
  ];
}
