import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { secretPlace } from "#core/secrets/secret-kind.ts";
import {
  type AuditHead,
  type AuditKey,
  auditKeyOf,
  auditKeySecret,
  type ChainedRow,
  chainedRow,
  keptValues,
  linkHash,
  NO_LINK,
  type PaperDigest,
  selectLink,
} from "#core/write/audit-link.ts";
import { AUDIT_KEPT_MS } from "#core/write/audit-retention.ts";
import { digestOfValues, VALUES } from "#core/write/paper-digests.ts";
import { auditCut, auditKeys, auditLinks, auditLog, paperDigests } from "#tables/core";
import { auditHeads, companies } from "#tables/tenancy";
import type { ControlCtx } from "#tenancy/context.ts";
import { tryDecryptFor } from "#tenancy/secret-kinds.ts";
import { type Broken, brokenBy, MOST_IDS } from "./broken.ts";
import { checkPapers } from "./check-papers.ts";

const CHAIN = "the audit log is what its chain says";
const HEAD = "the audit log leads through the link that the control database knows";
const CUT = "the audit log was cut where it is ten years old";

const IDS_AT_ONCE = 2_000;
const MOST_ROWS = 200_000;

type Link = AuditHead & { keyId: string };
type Known = { head: AuditHead | null; now: number };
type LinkRow = { last_id: number; key_id: string; hash: string; chained_at: number };

/**
 * Holds the newest 200,000 rows of a company's audit log against its chain, the chain against the link that the control
 * database knows, and each paper against its digest. Rows that no link holds yet are not looked at.
 */
export async function checkAuditLog(
  ctx: ControlCtx,
  slug: string,
  database: Database,
): Promise<{ broken: Broken[]; skipped: string[] }> {
  const { head, now } = await knownOf(ctx, slug);
  const all = <Row>(text: SQL) => database.build.all<Row>(text);
  const [[cutRow], keyRows, [last], [atHead], [start]] = await database.read([
    all<LinkRow>(sql`SELECT last_id, '' AS key_id, hash, chained_at FROM ${auditCut}`),
    all<{ key_id: string; sealed: string }>(sql`SELECT key_id, sealed FROM ${auditKeys}`),
    all<{ id: number | null }>(sql`SELECT max(last_id) AS id FROM ${auditLinks}`),
    all<AuditHead>(selectLink(head?.lastId ?? 0)),
    all<LinkRow>(sql`SELECT * FROM ${auditLinks}
      WHERE last_id <= (SELECT max(last_id) FROM ${auditLinks}) - ${MOST_ROWS} ORDER BY last_id DESC LIMIT 1`),
  ]);
  const keys = await keysOf(ctx, slug, keyRows);
  const cut = cutRow === undefined ? NO_LINK : linkOf(cutRow);
  const from = start === undefined ? cut : linkOf(start);
  const wrong = [
    ...(await rowsBefore(database, cut.lastId)),
    ...(await brokenLinks(database, keys, from, last?.id ?? from.lastId)),
  ];
  const papers = await checkPapers(database, keys);
  const isLed = head === null || (atHead?.hash === head.hash && atHead.chainedAt === head.chainedAt);
  const isCutEarly = cut !== NO_LINK && cut.chainedAt > now - AUDIT_KEPT_MS;
  return {
    broken: [
      ...brokenBy(CHAIN, wrong),
      ...brokenBy(HEAD, isLed ? [] : [head?.lastId ?? 0]),
      ...brokenBy(CUT, isCutEarly ? [cut.lastId] : []),
      ...papers.broken,
    ],
    skipped: [...(start === undefined ? [] : [`audit log before row ${from.lastId + 1}`]), ...papers.skipped],
  };
}

async function knownOf(ctx: ControlCtx, slug: string): Promise<Known> {
  const { lastId, hash, chainedAt } = auditHeads;
  const [[row]] = await ctx.database.read([
    ctx.db
      .select({ lastId, hash, chainedAt, offset: companies.clockOffsetMs })
      .from(companies)
      .leftJoin(auditHeads, eq(auditHeads.companyId, companies.id))
      .where(eq(companies.slug, slug)),
  ]);
  const now = ctx.now + (ctx.plane.sandbox ? (row?.offset ?? 0) : 0);
  if (row?.lastId == null || row.hash === null || row.chainedAt === null) return { head: null, now };
  return { head: { lastId: row.lastId, hash: row.hash, chainedAt: row.chainedAt }, now };
}

/** The keys of the links: those of the master keys at hand, and those that the company keeps. */
async function keysOf(
  { plane }: ControlCtx,
  slug: string,
  rows: readonly { key_id: string; sealed: string }[],
): Promise<Map<string, AuditKey>> {
  const keys = new Map<string, AuditKey>();
  for (const masterKey of plane.directory.masterKeys) {
    const key = await auditKeyOf(masterKey);
    keys.set(key.id, key);
  }
  for (const { key_id: id, sealed } of rows) {
    if (keys.has(id)) continue;
    const place = secretPlace(auditKeySecret, slug, id);
    const secret = await tryDecryptFor(plane.directory, place, sealed);
    if (secret !== undefined) keys.set(id, { id, secret });
  }
  return keys;
}

/** Rows that stand where the log was erased, or before its beginning. */
async function rowsBefore(database: Database, cut: number): Promise<number[]> {
  const [rows] = await database.read([
    database.build.all<{ id: number }>(sql`SELECT id FROM ${auditLog} WHERE id <= ${cut} LIMIT ${MOST_IDS}`),
  ]);
  return rows.map(({ id }) => id);
}

/** The last rows of the links from one on that are not what they were made of. */
async function brokenLinks(
  database: Database,
  keys: ReadonlyMap<string, AuditKey>,
  from: AuditHead,
  lastId: number,
): Promise<number[]> {
  const wrong: number[] = [];
  let before = from;
  while (before.lastId < lastId) {
    const { links, rows, kept, digests } = await readPage(database, before.lastId);
    // A link has fewer rows than a page: where none ends, one was taken away.
    if (links.length === 0) return [...wrong, before.lastId + 1];
    let next = 0;
    for (const link of links) {
      const first = next;
      while ((rows[next]?.[0] ?? Number.POSITIVE_INFINITY) <= link.lastId) next += 1;
      const own = rows.slice(first, next);
      const key = keys.get(link.keyId);
      const ofValues = key && (await digestOfValues(key, link.lastId, kept.slice(first, next)));
      // A link of the release before, which kept no values, has no digest of them.
      const linked = (digests.get(link.lastId) ?? []).map((one) => (one[0] === VALUES && ofValues) || one);
      const hash = key && (await linkHash(key, before, link, own, linked));
      if (hash !== link.hash) wrong.push(link.lastId);
      before = link;
    }
  }
  return wrong;
}

type Page = {
  links: Link[];
  rows: ChainedRow[];
  kept: (string | null)[];
  digests: Map<number, PaperDigest[]>;
};

async function readPage(database: Database, after: number): Promise<Page> {
  const until = after + IDS_AT_ONCE;
  const [links, rows, digests] = await database.read([
    database.build.all<LinkRow>(
      sql`SELECT * FROM ${auditLinks} WHERE last_id > ${after} AND last_id <= ${until} ORDER BY last_id`,
    ),
    database.build.all<{ chained: string; kept: string | null }>(
      sql`SELECT ${chainedRow} AS chained, ${keptValues} AS kept FROM ${auditLog}
        WHERE ${auditLog.id} > ${after} AND ${auditLog.id} <= ${until} ORDER BY ${auditLog.id}`,
    ),
    database.build.all<{ last_id: number; digests: string }>(
      sql`SELECT last_id, json_group_array(json_array(kind, record_id, digest)) AS digests FROM (
          SELECT * FROM ${paperDigests} WHERE last_id > ${after} AND last_id <= ${until} ORDER BY last_id, kind, record_id
        ) GROUP BY last_id`,
    ),
  ]);
  return {
    links: links.map(linkOf),
    rows: rows.map(({ chained }) => JSON.parse(chained) as ChainedRow),
    kept: rows.map(({ kept }) => kept),
    digests: new Map(digests.map((link) => [link.last_id, JSON.parse(link.digests) as PaperDigest[]])),
  };
}

function linkOf({ last_id, key_id, hash, chained_at }: LinkRow): Link {
  return { lastId: last_id, keyId: key_id, hash, chainedAt: chained_at };
}
