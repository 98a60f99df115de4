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
import { paperDigests } from "#tables/core";
import { PAPER_TABLES, PAPERS } from "../papers.ts";
import { type Broken, brokenBy, MOST_IDS } from "./broken.ts";

const FINAL = "a paper, a movement of stock or money and an account are as they were made";

/** Of each kind: as many ids as the audit log has rows that are checked. */
const MOST_PAPERS = 200_000;

type Checked = PaperRow & { key_id: string | null; digest: string | null; last: number };
type Ahead = { papers: Papers; after: SQL };

/**
 * Holds the newest papers that have a digest against it, up to 200,000 of each kind. A paper that is younger than the
 * last digest of its kind has none yet. The next papers of all kinds are read together.
 */
export async function checkPapers(
  database: Database,
  keys: ReadonlyMap<string, AuditKey>,
): Promise<{ broken: Broken[]; skipped: string[] }> {
  const names: string[] = [];
  const skipped: string[] = [];
  let ahead: Ahead[] = PAPERS.map((papers) => ({
    papers,
    after: sql`max(${lastDigested(papers)} - ${MOST_PAPERS}, 0)`,
  }));
  for (let isFirst = true; ahead.length > 0; isFirst = false) {
    const [gone, ...pages] = await database.read([
      database.build.all<{ name: string }>(isFirst ? MISSING : NOTHING),
      ...ahead.map((each) => database.build.all<Checked>(pageOf(each))),
    ]);
    names.push(...gone.map(({ name }) => name));
    const next: Ahead[] = [];
    for (const [place, { papers }] of ahead.entries()) {
      const rows = pages[place] ?? [];
      const digests = await Promise.all(rows.map((row) => digestNow(keys, papers, row)));
      const wrong = rows.filter((row, index) => row.digest !== digests[index]);
      names.push(...wrong.map(({ id }) => `${papers.kind} ${id}`));
      const { id = 0, last = 0 } = rows.at(-1) ?? {};
      if (isFirst && last > MOST_PAPERS) skipped.push(`${papers.table} before ${last - MOST_PAPERS + 1}`);
      if (id < last) next.push({ papers, after: sql`${id}` });
    }
    ahead = next;
  }
  return { broken: brokenBy(FINAL, names), skipped };
}

/** The next papers that are to have a digest, with theirs. */
function pageOf({ papers, after }: Ahead): SQL {
  return sql`SELECT page.id, page.text, key_id, digest, ${lastDigested(papers)} AS last
    FROM (${selectPapers(papers, after)}) AS page
    LEFT JOIN ${paperDigests} ON kind = ${papers.kind} AND record_id = page.id
    WHERE page.id <= ${lastDigested(papers)} ORDER BY page.id`;
}

async function digestNow(
  keys: ReadonlyMap<string, AuditKey>,
  { kind }: Papers,
  row: Checked,
): Promise<string | undefined> {
  const key = row.key_id === null ? undefined : keys.get(row.key_id);
  return key === undefined ? undefined : digestOf(key, kind, row);
}

const NOTHING = sql`SELECT '' AS name WHERE 0`;

/** The papers that have a digest and are gone. */
const MISSING = sql.join(
  PAPERS.filter(({ kind }) => !PAPER_TABLES.some((paper) => paper.kind === kind && paper.deleted)).map(
    ({
      kind,
      table,
    }) => sql`SELECT * FROM (SELECT kind || ' ' || record_id AS name FROM ${paperDigests} WHERE kind = ${kind}
      AND NOT EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = record_id) LIMIT ${MOST_IDS})`,
  ),
  sql` UNION ALL `,
);
