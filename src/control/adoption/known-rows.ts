import { eq, or, sql } from "drizzle-orm";
import type { CompanyCopy, KeyCopy } from "#control/copies/schema.ts";
import { read } from "#platform/write/operation-memory.ts";
import type { ControlCtx } from "../context.ts";
import { abandonedDatabases, apiKeys, companies } from "../tables.ts";

type KnownCompany = { id: number; slug: string; status: string; updatedAt: number };
type KnownKey = { clientId: string; companyId: number; revokedAt: number | null; updatedAt: number };
/** What the control database knows of a database, and of what its copies name. */
export type Known = {
  /** The company whose database it is. */
  company: KnownCompany | undefined;
  /** Whether it is kept beside a company's own, or is to be removed. */
  isSpare: boolean;
  /** The company, other than that, which has the slug or the id of the copy. */
  rival: KnownCompany | undefined;
  keys: KnownKey[];
};

const one = {
  id: companies.id,
  slug: companies.slug,
  status: sql<string>`${companies.status}`,
  updatedAt: companies.updatedAt,
};

/** The slug of the company whose database this is, and whether it is a spare or abandoned one. */
export async function knownDatabase(ctx: ControlCtx, name: string): Promise<Omit<Known, "rival" | "keys">> {
  const { databaseName, slug, spareDatabaseName } = companies;
  const [[named], [bySlug], [spare], [abandoned]] = await read(ctx, [
    ctx.db.select(one).from(companies).where(eq(databaseName, name)),
    ctx.db.select(one).from(companies).where(sql`${slug} = ${name} AND ${databaseName} IS NULL`),
    ctx.db.select(one).from(companies).where(eq(spareDatabaseName, name)),
    ctx.db.select().from(abandonedDatabases).where(eq(abandonedDatabases.name, name)),
  ]);
  return { company: named ?? bySlug, isSpare: spare !== undefined || abandoned !== undefined };
}

/** The same, with what else the control database knows of what the copies name. */
export async function knownRows(
  ctx: ControlCtx,
  name: string,
  copy: CompanyCopy,
  keys: readonly KeyCopy[],
): Promise<Known> {
  const ids = JSON.stringify(keys.map((key) => key.client_id));
  const own = await knownDatabase(ctx, name);
  const [others, found] = await read(ctx, [
    ctx.db
      .select(one)
      .from(companies)
      .where(or(eq(companies.slug, copy.slug), eq(companies.id, copy.company_id))),
    ctx.db
      .select({
        clientId: apiKeys.clientId,
        companyId: apiKeys.companyId,
        revokedAt: apiKeys.revokedAt,
        updatedAt: apiKeys.updatedAt,
      })
      .from(apiKeys)
      .where(sql`${apiKeys.clientId} IN (SELECT value FROM json_each(${ids}))`),
  ]);
  return { ...own, rival: others.find(({ id }) => id !== own.company?.id), keys: found };
}
