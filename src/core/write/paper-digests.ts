import { type SQL, sql } from "drizzle-orm";
import { paperDigests } from "#tables/core";
import { type AuditKey, hmacOf, type PaperDigest } from "./audit-link.ts";

/**
 * Records of one table of which some columns never change. `text` is the SQL of one cell that holds them, of a row that
 * it names `these`.
 */
export type Papers = { kind: string; table: string; text: string };
/** A record and its final columns, as one text. */
export type PaperRow = { id: number; text: string };

const AT_ONCE = 500;
// The texts of all kinds are read at once, and sqld refuses an answer above 10 MB.
const MOST_LENGTH = 1_500_000;
const DIGEST_LENGTH = 32;

/** The kind of digests that are of no paper, but of the values in a link of the audit log. */
export const VALUES = "audit_values";

/** Selects the final columns of the records after one id, as many as go together. */
export function selectPapers({ table, text }: Papers, after: SQL): SQL {
  const rows = sql.raw(`SELECT id, ${text} AS text FROM ${table} these`);
  return sql`SELECT id, text FROM (
      SELECT id, text, sum(length(text)) OVER (ORDER BY id) - length(text) AS before
      FROM (${rows} WHERE id > ${after} ORDER BY id LIMIT ${AT_ONCE})
    ) WHERE before < ${MOST_LENGTH} ORDER BY id`;
}

/** The last record of a kind that has a digest; 0 where there is none. */
export function lastDigested({ kind }: Papers): SQL {
  return sql`coalesce((SELECT max(record_id) FROM ${paperDigests} WHERE kind = ${kind}), 0)`;
}

/** The digest of a record's final columns: half of their HMAC-SHA-256, in hexadecimal. */
export async function digestOf(key: AuditKey, kind: string, { id, text }: PaperRow): Promise<string> {
  return (await hmacOf(key, JSON.stringify([kind, id, text]))).slice(0, DIGEST_LENGTH);
}

/** The digest of the values that the rows of a link keep. Among those of papers, the release before takes it for one. */
export async function digestOfValues(
  key: AuditKey,
  id: number,
  kept: readonly (string | null)[],
): Promise<PaperDigest> {
  return [VALUES, id, await digestOf(key, VALUES, { id, text: JSON.stringify(kept) })];
}

/** The digests of the records that have none yet, and one more, in the order in which a link holds them. */
export async function digestsOf(
  key: AuditKey,
  kinds: readonly Papers[],
  rows: readonly (readonly PaperRow[])[],
  ofValues: PaperDigest,
): Promise<PaperDigest[]> {
  const all = kinds.flatMap(({ kind }, place) => (rows[place] ?? []).map((row) => ({ kind, row })));
  const digests = await Promise.all(
    all.map(async ({ kind, row }) => [kind, row.id, await digestOf(key, kind, row)] as const),
  );
  return [...digests, ofValues].toSorted(
    ([one, id], [other, otherId]) => compare(one, other) || id - otherId,
  );
}

/** Stores the digests that go with a link, if it is the one that stands. */
export function insertDigests(
  { id: keyId }: AuditKey,
  link: { lastId: number; hash: string },
  digests: readonly PaperDigest[],
): SQL {
  return sql`INSERT INTO ${paperDigests} (kind, record_id, key_id, digest, last_id)
    SELECT value ->> 0, value ->> 1, ${keyId}, value ->> 2, ${link.lastId} FROM json_each(${JSON.stringify(digests)})
    WHERE EXISTS (SELECT 1 FROM audit_links WHERE last_id = ${link.lastId} AND hash = ${link.hash})
    ON CONFLICT DO NOTHING`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
