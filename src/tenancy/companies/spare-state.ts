import { eq, type SQL, sql } from "drizzle-orm";
import { read } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { companies } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { finished } from "./companies.ts";

export type SpareDatabaseRow = { id: number; slug: string; database: string; spare: string | null };
export type SpareState = {
  status: string;
  own: string;
  spare: string | null;
  /** Whether its spare database was made. */
  isMade: boolean;
  generation: number;
};

export const isSuspended = eq(companies.status, "suspended");

/** The databases of a company; undefined where there is none of this slug. */
export async function spareStateOf(ctx: ControlCtx, slug: string): Promise<SpareState | undefined> {
  const [[found]] = await read(ctx, [
    ctx.db
      .select({
        status: sql<string>`${companies.status}`,
        own: companies.databaseName,
        spare: companies.spareDatabaseName,
        isMade: sql<number>`${companies.spareDatabaseUrl} IS NOT NULL`,
        generation: companies.databaseGeneration,
      })
      .from(companies)
      .where(finished(slug)),
  ]);
  return found === undefined ? undefined : { ...found, isMade: found.isMade === 1 };
}

/** Says what is needed, and of a company that is there which spare database it has. */
export function unlike(found: SpareState | undefined, what: string): Problem {
  if (found === undefined) return needed(what);
  const keeps = found.spare === null ? "has no spare database" : `has the spare database ${found.spare}`;
  return needed(`${what}: this one is ${found.status}, and ${keeps}`);
}

/** The 409 of an operation for companies that are otherwise. */
export function needed(what: string): Problem {
  return conflict(`This is for a company that ${what}`);
}

/** A 409 with these words. */
export function conflict(message: string): Problem {
  return new Problem("conflict", { message });
}

export function spareSnapshot(slug: string): SQL<SpareDatabaseRow> {
  return sql<SpareDatabaseRow>`SELECT json_object('id', ${companies.id}, 'slug', ${companies.slug}, 'database', ${companies.databaseName},
    'spare', ${companies.spareDatabaseName}) FROM ${companies} WHERE ${finished(slug)}`;
}
