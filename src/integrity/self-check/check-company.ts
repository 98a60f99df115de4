import { sql } from "drizzle-orm";
import type { Database, Query } from "#core/database/database.ts";
import { INVARIANT_GROUPS } from "#integrity/invariants/index.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import type { ControlCtx } from "#tenancy/context.ts";
import { hashed } from "#tenancy/migrations/migrate.ts";
import { companyDatabase } from "#tenancy/migrations/migrate-companies.ts";
import { type AppliedRow, lackingOf, schemaNumberIn } from "#tenancy/migrations/missing-and-changed.ts";
import { schemaNumber } from "#tenancy/migrations/schema-number.ts";
import { normalised, SCHEMA_OBJECTS, type SchemaObject } from "#tenancy/migrations/schema-objects.ts";
import { recordCheck } from "#tenancy/upkeep/upkeep.ts";
import { type Broken, brokenBy, brokenIn, openIn, sizesOf } from "./broken.ts";
import { checkAuditLog } from "./check-audit-log.ts";
import { checkMoves } from "./check-moves.ts";

/** What the migrations make of an empty database, as JSON; the build puts it in here. */
declare const COMPANY_SCHEMA: string;

const MOST_BYTES = 2_147_483_648;
const STORAGE = {
  "what is stored is whole": `
    SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  "what a record refers to is there": `
    SELECT "table" || ' ' || coalesce(rowid, '') FROM pragma_foreign_key_check`,
};

export type SelfCheckRow = { slug: string; broken: Broken[]; open: Broken[]; skipped: string[] };

/** Looks for what breaks an invariant in one company's database, each group of them in one read transaction, or in several where it is large. */
export async function selfCheck(ctx: ControlCtx, { slug }: CompanyParams): Promise<SelfCheckRow> {
  const database = (await companyDatabase(ctx, slug)).database.alone;
  const sizes = await sizesOf(database);
  const broken: Broken[] = [];
  for (const group of Object.values(INVARIANT_GROUPS))
    broken.push(...(await brokenIn(database, group, sizes)));
  const moves = await checkMoves(database);
  broken.push(...moves.broken);
  const audit = await checkAuditLog(ctx, slug, database);
  broken.push(...audit.broken);
  const open = await openIn(database);
  const { bytes, ...schema } = await schemaOf(database);
  broken.push(...schema.broken);
  const skipped = [...moves.skipped, ...audit.skipped, ...schema.skipped];
  if (bytes > MOST_BYTES) return { slug, broken, open, skipped: [...skipped, "storage"] };
  broken.push(...(await brokenIn(database, STORAGE, sizes)));
  return { slug, broken, open, skipped };
}

/** The same, and records what it found. */
export async function runSelfCheck(ctx: ControlCtx, params: CompanyParams): Promise<SelfCheckRow> {
  const found = await selfCheck(ctx, params);
  await recordCheck(ctx, params.slug, found.broken.length);
  return found;
}

type Schema = { broken: Broken[]; skipped: string[]; bytes: number };

/** How the schema differs from what the migrations make, unless a later release made it; and how large the database is. */
async function schemaOf(database: Database): Promise<Schema> {
  const all = <Row>(select: string) => database.build.all<Row>(sql.raw(select)) satisfies Query;
  const [objects, applied, [size]] = await database.read([
    all<{ name: string; text: string }>(SCHEMA_OBJECTS),
    all<AppliedRow>("SELECT * FROM migrations"),
    all<{ bytes: number }>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size"),
  ]);
  const bytes = size?.bytes ?? 0;
  if (schemaNumberIn(applied) > schemaNumber()) return { broken: [], skipped: ["schema"], bytes };
  const made = objects.map(({ name, text }) => JSON.stringify([name, normalised(text)]));
  const expected = (JSON.parse(COMPANY_SCHEMA) as SchemaObject[]).map((object) => JSON.stringify(object));
  const differing = difference(made, expected).map((object) => String(JSON.parse(object)[0]));
  const broken = [
    ...brokenBy("the schema is what the migrations make", differing),
    ...brokenBy("the migrations are those of this version", await unlikeThisVersion(applied)),
  ];
  return { broken, skipped: [], bytes };
}

/** The migrations that are missing, of another text, or of another version. */
async function unlikeThisVersion(applied: readonly AppliedRow[]): Promise<string[]> {
  const { missing, unlike } = lackingOf(await hashed(COMPANY_MIGRATIONS), applied);
  const known = new Set(COMPANY_MIGRATIONS.map(({ name }) => name));
  return [...missing, ...unlike, ...applied.map(({ name }) => name).filter((name) => !known.has(name))];
}

/** What is in one of the two lists only. */
function difference(some: readonly string[], others: readonly string[]): string[] {
  const [left, right] = [new Set(some), new Set(others)];
  return [...left.symmetricDifference(right)];
}
