import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import type { AuditKey } from "#core/write/audit-link.ts";
import {
  digestOf,
  lastDigested,
  type PaperRow,
  type Papers,
  selectPapers,
} from "#core/write/paper-digests.ts";
import { paperDigests } from "#core/write/tables.ts";
import type { Range } from "../invariants/sentence.ts";
import { PAPER_TABLES, PAPERS } from "../papers.ts";
import { type Broken, brokenBy, MOST_IDS } from "./broken.ts";

const FINAL = "a paper, a movement of stock or money and an account are as they were made";

/** Of each kind: as many ids as the audit log has rows that are checked. */
const MOST_PAPERS = 200_000;

type Checked = PaperRow & { key_id: string | null; digest: string | null };

/**
 * Holds the newest papers that have a digest against it, up to 200,000 of each kind. A paper that is younger than the
 * last digest of its kind has none yet.
 */
export async function checkPapers(
  database: Database,
  keys: ReadonlyMap<string, AuditKey>,
): Promise<{ broken: Broken[]; skipped: string[] }> {
  const names: string[] = [];
  const skipped: string[] = [];
  for (const papers of PAPERS) {
    const last = await lastIn(database, papers);
    const first = Math.max(last - MOST_PAPERS, 0);
    if (first > 0) skipped.push(`${papers.table} before ${first + 1}`);
    const wrong = [
      ...(await changedPapers(database, keys, papers, { after: first, until: last })),
      ...(await missingPapers(database, papers)),
    ];
    names.push(...wrong.map((id) => `${papers.kind} ${id}`));
  }
  return { broken: brokenBy(FINAL, names), skipped };
}

async function lastIn(database: Database, papers: Papers): Promise<number> {
  const [[newest]] = await database.read([
    database.build.all<{ id: number }>(sql`SELECT ${lastDigested(papers)} AS id`),
  ]);
  return newest?.id ?? 0;
}

/** The papers of a range that have another digest than theirs, or none. */
async function changedPapers(
  database: Database,
  keys: ReadonlyMap<string, AuditKey>,
  papers: Papers,
  { after: first, until: last }: Range,
): Promise<number[]> {
  const wrong: number[] = [];
  for (let after = first; after < last; ) {
    const rows = await readPage(database, papers, after, last);
    const digests = await Promise.all(rows.map((row) => digestNow(keys, papers, row)));
    wrong.push(...rows.filter((row, place) => row.digest !== digests[place]).map(({ id }) => id));
    after = rows.at(-1)?.id ?? last;
  }
  return wrong;
}

async function readPage(database: Database, papers: Papers, after: number, last: number): Promise<Checked[]> {
  const page = selectPapers(papers, sql`${after}`);
  const [rows] = await database.read([
    database.build.all<Checked>(sql`SELECT page.id, page.text, key_id, digest FROM (${page}) AS page
      LEFT JOIN ${paperDigests} ON kind = ${papers.kind} AND record_id = page.id
      WHERE page.id <= ${last} ORDER BY page.id`),
  ]);
  return rows;
}

async function digestNow(
  keys: ReadonlyMap<string, AuditKey>,
  { kind }: Papers,
  row: Checked,
): Promise<string | undefined> {
  const key = row.key_id === null ? undefined : keys.get(row.key_id);
  return key === undefined ? undefined : digestOf(key, kind, row);
}

/** The papers that have a digest and are gone. */
async function missingPapers(database: Database, { kind, table }: Papers): Promise<number[]> {
  if (PAPER_TABLES[table]?.deleted !== undefined) return [];
  const gone: SQL = sql`SELECT record_id AS id FROM ${paperDigests} WHERE kind = ${kind}
    AND NOT EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = record_id) LIMIT ${MOST_IDS}`;
  const [rows] = await database.read([database.build.all<{ id: number }>(gone)]);
  return rows.map(({ id }) => id);
}
