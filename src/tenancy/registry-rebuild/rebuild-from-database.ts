import { type SQL, sql } from "drizzle-orm";
import type * as z from "zod";
import { Database } from "#core/database/database.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { Problem } from "#shared/problem.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { companies } from "#tables/tenancy";
import { isThrowAway } from "#tenancy/companies/throw-away.ts";
import { lookAt } from "#tenancy/generations/standing.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import { mendCopies } from "#tenancy/registry-backup/mend-copies.ts";
import type { KeyCopy } from "#tenancy/registry-backup/schema.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { addKeys, changeKeys, revokeKeys } from "./key-statements.ts";
import { type Known, knownDatabase, knownRows } from "./known-rows.ts";
import { type Copies, readCopies } from "./read-copies.ts";
import type {
  AdoptedDatabase,
  DatabaseAdoption,
  DatabaseClaim,
  DatabaseParams,
  DatabaseQuery,
} from "./schema.ts";
import { endBegunReplacement, isLeft, replacedCompany, replacerOf, takeOver } from "./take-over.ts";

/** An answer whose `database` is the id of its record. */
type Row<Answer> = Omit<Answer, "database"> & { id: string };
export type ClaimRow = Row<z.infer<typeof DatabaseClaim>>;
export type RebuiltRow = Row<z.infer<typeof AdoptedDatabase>>;
type Difference = Record<"added" | "changed" | "revoked" | "refused", KeyCopy[]>;

const CHANGED = "The database says something else than when it was read: read it again";
const NO_KEYS = { keys_added: [], keys_changed: [], keys_revoked: [], keys_refused: [] };

/** What a database says whose it is; changes nothing. One that was replaced says which one has its place. */
export async function readDatabaseClaim(
  ctx: ControlCtx,
  { name }: DatabaseParams,
  { lost }: DatabaseQuery,
): Promise<ClaimRow> {
  const nothing = { id: name, company: null, reason: null, client_ids: [], digest: null, replaced_by: null };
  if (await isLeft(ctx, name, await knownDatabase(ctx, name), lost)) return nothing;
  if (name === lost && "trouble" in (await lookAt(ctx, name))) return nothing;
  const found = await readCopies(ctx, name);
  if (found.copies === null) return { ...nothing, reason: found.reason };
  const { company, keys } = found.copies;
  if (isThrowAway(company.slug)) return nothing;
  const replacer = await replacerOf(ctx, found.copies, lost);
  if (replacer !== null) {
    const { by, trouble } = replacer;
    const reason = `it was replaced by ${by}, which ${trouble}: if that is lost, say so with --lost ${by}`;
    return { ...nothing, reason: trouble === null ? null : reason, replaced_by: by };
  }
  const client_ids = keys.map((key) => key.client_id);
  const digest = await digestOf(found.copies);
  return { ...nothing, company: { slug: company.slug, id: company.company_id }, client_ids, digest };
}

/**
 * Takes in what a company's own database knows of it and the control database does not: the company, its keys, later
 * changes of them. What either of the two has revoked or suspended, both have so after it. A database that has taken the
 * place of the one that is known is the company's then. Nothing that is another company's here is taken. Throws 409 `conflict` where the database says something else than the digest is of.
 */
export async function rebuildFromDatabase(
  ctx: ControlCtx,
  { name }: DatabaseParams,
  { digest, lost }: DatabaseAdoption,
): Promise<RebuiltRow> {
  await takeTurn(ctx);
  const found = await readCopies(ctx, name);
  const left = {
    ...({ id: name, company: null, outcome: "left", reason: null, replaced: null } as const),
    ...NO_KEYS,
  };
  if (found.copies === null) return { ...left, reason: found.reason };
  const { company: copy, keys } = found.copies;
  if ((await digestOf(found.copies)) !== digest) throw new Problem("conflict", { message: CHANGED });
  if (isThrowAway(copy.slug) || (await replacerOf(ctx, found.copies, lost)) !== null) return left;
  const here = await knownRows(ctx, name, copy, keys);
  if (await isLeft(ctx, name, here, lost)) return left;
  const replaced = await replacedCompany(ctx, name, here, found.copies, lost);
  const known = replaced === undefined ? here : { ...here, company: replaced, rival: undefined };
  const reason = refusalOf(known, found.copies);
  if (reason !== null) return { ...left, company: copy.slug, outcome: "refused", reason };

  await endBegunReplacement(ctx, name, found.copies, { known: known.company?.generation, lost });
  const difference = differenceOf(known, keys);
  const row = { ...rowOf(name, known, found.copies, difference), replaced: replaced?.database ?? null };
  if (row.outcome === "unchanged" && replaced === undefined) return row;
  const call = { ...ctx.call, auditPrefix: `${copy.slug}/` };
  const written = await atomic<RebuiltRow>(
    { ...ctx, call },
    [
      ...(replaced === undefined ? [] : await takeOver(ctx, name, replaced, found.copies.address)),
      ...(await statementsOf(ctx, name, known, found.copies, difference)),
    ],
    sql`SELECT ${JSON.stringify(replaced === undefined ? row : { ...row, outcome: "changed" })}`,
    { "companies.slug": taken, "companies.id": taken },
  );
  forgetCompany(copy.slug);
  await mendCopies(ctx.database, new Database(found.copies.address), { slug: copy.slug, now: ctx.now });
  if (row.outcome === "opened") await ctx.plane.wakeClock(copy.slug, ctx.now);
  return written;
}

/** SHA-256, in hexadecimal digits, of whose the database says it is and of which keys. */
function digestOf({ company, keys }: Copies): Promise<string> {
  const ids = keys.map((key) => key.client_id).toSorted();
  return sha256Hex(JSON.stringify([company.slug, company.company_id, ids]));
}

/** Two were read as unknown, and the other one came first. */
function taken(): Problem {
  return new Problem("conflict", { message: "Another database was taken in as this company meanwhile" });
}

function refusalOf({ company, rival }: Known, { company: copy }: Copies): string | null {
  if (company !== undefined && company.slug !== copy.slug)
    return `it is the database of ${company.slug}, and says that it is that of ${copy.slug}`;
  if (company !== undefined && company.id !== copy.company_id)
    return `it says that ${company.slug} has the id ${copy.company_id}, which has ${company.id}`;
  if (rival === undefined) return null;
  if (rival.slug !== copy.slug) return `its id ${copy.company_id} is that of ${rival.slug}`;
  return rival.id === copy.company_id
    ? `${copy.slug} has another database: if that is lost, say so with --lost ${rival.database}`
    : `${copy.slug} is another company here: back this database up by its name, and restore it under another slug`;
}

function differenceOf({ company, keys }: Known, copies: readonly KeyCopy[]): Difference {
  const known = new Map(keys.map((key) => [key.clientId, key]));
  const difference: Difference = { added: [], changed: [], revoked: [], refused: [] };
  for (const copy of copies) {
    const key = known.get(copy.client_id);
    if (key === undefined) difference.added.push(copy);
    else if (key.companyId !== company?.id) difference.refused.push(copy);
    else {
      if (copy.updated_at > key.updatedAt) difference.changed.push(copy);
      if (copy.revoked_at !== null && key.revokedAt === null) difference.revoked.push(copy);
    }
  }
  return difference;
}

function rowOf(
  name: string,
  { company }: Known,
  { company: copy }: Copies,
  difference: Difference,
): Omit<RebuiltRow, "replaced"> {
  const { added, changed, revoked, refused } = difference;
  const isChanged =
    added.length + changed.length + revoked.length > 0 ||
    (company?.status === "active" && copy.status === "suspended");
  const ids = (keys: readonly KeyCopy[]) => keys.map((key) => key.client_id);
  const outcome = company === undefined ? "opened" : isChanged ? "changed" : "unchanged";
  return {
    id: name,
    company: copy.slug,
    outcome,
    reason: refused.length > 0 ? "another company has keys of these ids" : null,
    keys_added: ids(added),
    keys_changed: ids(changed),
    keys_revoked: ids(revoked),
    keys_refused: ids(refused),
  };
}

async function statementsOf(
  ctx: ControlCtx,
  name: string,
  { company }: Known,
  { address, company: copy }: Copies,
  { added, changed, revoked }: Difference,
): Promise<SQL[]> {
  const id = company?.id ?? copy.company_id;
  const statements = [addKeys(id, added), changeKeys(id, changed), revokeKeys(id, revoked, ctx.now)];
  if (company !== undefined) {
    const here = sql`${companies.id} = ${id} AND ${companies.status} = 'active' AND ${copy.status} = 'suspended'`;
    return [
      sql`UPDATE ${companies} SET status = 'suspended', updated_at = ${ctx.now} WHERE ${here}`,
      ...statements,
    ];
  }
  const row = {
    ...columnsOf(companies, copy, ["company_id"]),
    id,
    databaseName: name,
    databaseUrl: address.url,
    databaseToken: await encryptToken(ctx, copy.slug, address.token),
    nextSweepAt: ctx.now + HOUR_MS,
    reservation: ctx.call.idempotencyRecordKey,
    reservedAt: ctx.now,
  };
  return [ctx.db.insert(companies).values(row).getSQL(), ...statements];
}

/** The slug of each company, by its database's name. */
export async function companiesByDatabase(
  ctx: ControlCtx,
  names: readonly string[],
): Promise<Map<string, string>> {
  const asked = sql`${companies.databaseName} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`;
  const [rows] = await ctx.database.read([
    ctx.db.select({ name: companies.databaseName, slug: companies.slug }).from(companies).where(asked),
  ]);
  return new Map(rows.map(({ name, slug }) => [name, slug]));
}
