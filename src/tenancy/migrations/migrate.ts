import { sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { Problem } from "#shared/problem.ts";
import {
  type AppliedRow,
  filesOf,
  type Hashed,
  lackingOf,
  type Migration,
  schemaNumberOf,
  unlikeMessage,
} from "./missing-and-changed.ts";
import { type AtNow, MIGRATIONS_TABLE } from "./schema-objects.ts";

type Text = Migration & Hashed;
const APPLIED = sql`SELECT * FROM migrations`;

/** A migration that the database refused, by its name. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Applies what is missing, each file with its record in one transaction and one request, and gives the names of what it
 * applied. Safe to run twice, at the same time, or after a crash: the record's primary key lets each file in once.
 * `together` makes of an empty database what all files would, in one transaction. Throws 409 `conflict` for a database
 * that has one of these names with another text, 503 where it does not answer, and `MigrationFailed`.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: number,
  together?: AtNow,
): Promise<string[]> {
  const texts = await hashed(migrations);
  const applied: string[] = [];
  let { missing, isEmpty } = await missingAfter(database, texts);
  for (let [next] = missing; next !== undefined; [next] = missing) {
    const isNew = together !== undefined && isEmpty;
    try {
      await database.script(
        transaction(isNew ? together.join(String(now)) : stepOf(next, schemaNumberOf(texts), now)),
      );
      const done = isNew ? missing : [next];
      applied.push(...done.map(({ name }) => name));
      missing = missing.slice(done.length);
      isEmpty = false;
    } catch (error) {
      // Another run has applied it meanwhile, or this one did and its answer was lost: less is left to do.
      const left = await missingAfter(database, texts);
      if (left.missing.length === missing.length)
        throw error instanceof Problem ? error : new MigrationFailed(next.name, error);
      ({ missing, isEmpty } = left);
    }
  }
  return applied;
}

/**
 * The names of those that `migrate` would apply. Changes nothing, also where the database is empty. Throws 409 `conflict`
 * as `migrate` does.
 */
export async function missingMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  const [[table]] = await database.read([
    database.build.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE name = 'migrations'`),
  ]);
  if (table === undefined) return filesOf(migrations).map(({ name }) => name);
  const [rows] = await database.read([database.build.all<AppliedRow>(APPLIED)]);
  return missingOf(await hashed(migrations), rows);
}

/** The migrations, each with the SHA-256 of its file. */
export function hashed(migrations: readonly Migration[]): Promise<Text[]> {
  return Promise.all(
    migrations.map(async (one) => ({ ...one, sha256: one.sha256 ?? (await sha256Of(one.sql)) })),
  );
}

// The tests migrate in Node, which has no toHex yet.
async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stepOf({ name, sql: text, sha256 }: Text, schemaNumber: number, now: number): string {
  return `INSERT INTO migrations (name, sha256, schema_number, applied_at)
    VALUES ('${name}', '${sha256}', ${schemaNumber}, ${now}); ${text}`;
}

function transaction(text: string): string {
  return `BEGIN IMMEDIATE;
    ${text}
    COMMIT;`;
}

async function missingAfter(
  database: Database,
  texts: readonly Text[],
): Promise<{ missing: readonly Text[]; isEmpty: boolean }> {
  const [, applied] = await database.write([sql.raw(MIGRATIONS_TABLE), APPLIED]);
  const rows = (applied?.rows ?? []).map(({ name, sha256, schema_number: schemaNumber }) => ({
    name: String(name),
    ...(typeof sha256 === "string" ? { sha256 } : {}),
    schema_number: Number(schemaNumber ?? 0),
  }));
  const missing = new Set(missingOf(texts, rows));
  return { missing: texts.filter(({ name }) => missing.has(name)), isEmpty: rows.length === 0 };
}

function missingOf(texts: readonly Text[], applied: readonly AppliedRow[]): string[] {
  const { missing, unlike } = lackingOf(texts, applied);
  if (unlike.length > 0) throw new Problem("conflict", { message: unlikeMessage(unlike) });
  return missing;
}
