import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { Problem } from "#shared/problem.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { companyCopy, keyCopies } from "#tables/tenancy/own-database";
import { readStanding, type Standing } from "#tenancy/generations/standing.ts";
import { isDamage } from "#tenancy/generations/trouble.ts";
import { requireFittingRights } from "#tenancy/keys/keys.ts";
import { copiedCompanyRow, copiedKeyRow } from "#tenancy/registry-backup/copy-rows.ts";
import { CompanyCopy, KeyCopy } from "#tenancy/registry-backup/schema.ts";
import type { ControlCtx } from "../context.ts";

/** What a company's database says of its company and keys, and where it is. */
export type Copies = {
  address: DatabaseAddress;
  company: CompanyCopy;
  keys: KeyCopy[];
  mark: Standing["mark"];
};
/** What is found in a database: copies, none of a company, or the reason why they are not believed. */
export type Found = { copies: Copies } | { copies: null; reason: string | null };

const NEEDED = ["company_copy", "database_name", "key_copies"];
const PAGE = 1_000;
const MOST_KEYS = 10_000;

/** Reads the copies in the database of this name. Nothing of it is believed that no company could have. */
export async function readCopies(ctx: ControlCtx, name: string): Promise<Found> {
  try {
    return await copiesIn(ctx, name);
  } catch (error) {
    if (isDamage(error)) return none("it is damaged");
    throw error;
  }
}

async function copiesIn({ plane, now }: ControlCtx, name: string): Promise<Found> {
  const provisioner = await plane.provisioner();
  if (!(await provisioner.exists(name))) return none("there is no database of this name");
  const address = await provisioner.address(name);
  if (address.url === plane.directory.control.url) return none(null);
  const database = new Database(address);
  const all = <Row>(select: SQL) => database.build.all<Row>(select);
  const [tables] = await database.read([
    all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table'`),
  ]);
  const has = (table: string) => tables.some((one) => one.name === table);
  if (!NEEDED.every(has)) return none(has("profile") ? "it has no copy: its release kept none" : null);
  const [[own], [company]] = await database.read([
    all<{ name: string }>(sql`SELECT name FROM database_name`),
    all<{ row: string }>(sql`SELECT ${copiedCompanyRow} AS row FROM ${companyCopy}`),
  ]);
  if (company === undefined) return none(null);
  const copied = CompanyCopy.safeParse(JSON.parse(company.row));
  if (!copied.success) return none("its copy is of no company that there could be");
  // One that is a copy of another database bears that one's name; the first companies' are named by their slugs.
  if ((own?.name ?? copied.data.slug) !== name) return none("it does not bear its own name");
  const keys = await readKeys(database);
  if (keys === undefined) return none("its copy has a key that no company could have, or too many");
  // The later of two wins: one of a time to come would win for good.
  const written = [copied.data, ...keys].map((row) => row.updated_at);
  if (written.some((at) => at > now + HOUR_MS)) return none("its copy is of a time that has not come");
  const mark = (await readStanding(database))?.mark ?? null;
  return { copies: { address, company: copied.data, keys, mark } };
}

function none(reason: string | null): Found {
  return { copies: null, reason };
}

async function readKeys(database: Database): Promise<KeyCopy[] | undefined> {
  const keys: KeyCopy[] = [];
  for (let left = PAGE; left === PAGE; ) {
    const after = keys.at(-1)?.client_id ?? "";
    const [rows] = await database.read([
      database.build.all<{ row: string }>(
        sql`SELECT ${copiedKeyRow} AS row FROM ${keyCopies} WHERE ${keyCopies.clientId} > ${after}
          ORDER BY ${keyCopies.clientId} LIMIT ${PAGE}`,
      ),
    ]);
    const page = z.array(KeyCopy).safeParse(rows.map(({ row }) => JSON.parse(row)));
    if (!page.success || keys.length + page.data.length > MOST_KEYS) return undefined;
    if (!page.data.every(isFitting)) return undefined;
    keys.push(...page.data);
    left = rows.length;
  }
  return keys;
}

/** Whether it has the rights of a key of its type. */
function isFitting({ type, scopes, allowed_origins: origins }: KeyCopy): boolean {
  try {
    requireFittingRights(type, { scopes: JSON.parse(scopes), allowed_origins: JSON.parse(origins) });
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
