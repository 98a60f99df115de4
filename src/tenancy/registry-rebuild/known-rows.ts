import { eq, or, sql } from "drizzle-orm";
import type { JsonRow } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { abandonedDatabases, apiKeys, companies } from "#tables/tenancy";
import type { CompanyCopy, KeyCopy } from "#tenancy/registry-backup/schema.ts";
import type { ControlCtx } from "../context.ts";

const one = {
  id: companies.id,
  slug: companies.slug,
  status: sql<string>`${companies.status}`,
  updatedAt: companies.updatedAt,
  /** The name of its own database. */
  database: companies.databaseName,
  generation: companies.databaseGeneration,
};
export type KnownCompany = JsonRow<typeof one>;
type KnownKey = { clientId: string; companyId: number; revokedAt: number | null; updatedAt: number };
/** What the control database knows of a database, and of what its copies name. */
export type Known = {
  /** The company whose database it is. */
  company: KnownCompany | undefined;
  /** The company that keeps it beside its own. */
  keeper: KnownCompany | undefined;
  /** Whether it is to be removed. */
  isAbandoned: boolean;
  /** The company, other than that, which has the slug or the id of the copy. */
  rival: KnownCompany | undefined;
  keys: KnownKey[];
};

/** The company whose database this is, or which keeps it as its spare one. */
export async function knownDatabase(ctx: ControlCtx, name: string): Promise<Omit<Known, "rival" | "keys">> {
  const { databaseName, spareDatabaseName } = companies;
  const [[named], [spare], [abandoned]] = await read(ctx, [
    ctx.db.select(one).from(companies).where(eq(databaseName, name)),
    ctx.db.select(one).from(companies).where(eq(spareDatabaseName, name)),
    ctx.db.select().from(abandonedDatabases).where(eq(abandonedDatabases.name, name)),
  ]);
  return { company: named, keeper: spare, isAbandoned: abandoned !== undefined };
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
