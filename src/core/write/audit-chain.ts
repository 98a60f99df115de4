import { sql } from "drizzle-orm";
import { auditCut, auditKeys, auditLinks, auditLog } from "#tables/core";
import type { AuditCtx, EncryptionCtx, ReadCtx } from "../context.ts";
import type { Due } from "../due.ts";
import { logFault } from "../log.ts";
import {
  type AuditHead,
  type AuditKey,
  auditKeySecret,
  type ChainedRow,
  chainedRow,
  keptValues,
  LINK_ROWS,
  linkHash,
  NO_LINK,
  type PaperDigest,
  selectLink,
} from "./audit-link.ts";
import { type Erased, isErasure } from "./erasures.ts";
import {
  digestOfValues,
  digestsOf,
  insertDigests,
  lastDigested,
  type PaperRow,
  type Papers,
  selectPapers,
} from "./paper-digests.ts";

type ChainCtx = ReadCtx & EncryptionCtx & AuditCtx;

const LINKS_AT_ONCE = 20;

const lastLink = sql`SELECT last_id, hash, chained_at FROM ${auditLinks}
  UNION ALL SELECT last_id, hash, chained_at FROM ${auditCut} ORDER BY last_id DESC LIMIT 1`;

const lastChained = sql`coalesce((SELECT last_id FROM (${lastLink})), 0)`;

/** Rows of the audit log that are in no link of its chain yet; their links hold digests of these papers. */
export const auditRowsDue = (papers: readonly Papers[]): Due => ({
  look: () =>
    sql`SELECT json_object('due', coalesce((SELECT max(${auditLog.id}) FROM ${auditLog}), 0) > ${lastChained}, 'next', NULL)
      AS snapshot`,
  async act(ctx) {
    return (await chainAuditLog(ctx, papers)) ? ctx.now : null;
  },
});

/**
 * Chains the rows of the audit log that are in no link yet, up to 10,000 of them, and with each link the digests of
 * papers that have none. Reports the last link, and what was erased, to the control database. Gives whether more may be
 * left. May run at the same time twice. A log that has lost the link reported last is not chained on.
 */
export async function chainAuditLog(ctx: ChainCtx, papers: readonly Papers[]): Promise<boolean> {
  const [key, head] = await Promise.all([ctx.auditChain.key(), ctx.auditChain.head()]);
  let last = NO_LINK;
  let isFull = true;
  for (let links = 0; isFull && links < LINKS_AT_ONCE; links += 1) {
    const unchained = await readUnchained(ctx, head, papers);
    if (!unchained.holdsHead) {
      logFault("audit_chain", new Error("The audit log has lost its head"), ctx.company.slug);
      return false;
    }
    const { rows, kept } = unchained;
    // Before the link: a run that ends here reports it again.
    const erased = erasedBy(rows);
    if (erased.length > 0) await ctx.auditChain.keepErasures(erased);
    const ofValues = await digestOfValues(key, rows.at(-1)?.[0] ?? 0, kept);
    const digests = await digestsOf(key, papers, unchained.papers, ofValues);
    const added = rows.length === 0 ? undefined : await addLink(ctx, key, unchained.last, rows, digests);
    last = added ?? unchained.last;
    // Where another run was first, it goes on.
    isFull = added !== undefined && rows.length === LINK_ROWS;
  }
  if (last.lastId > (head ?? NO_LINK).lastId) await ctx.auditChain.moveHead(last);
  return isFull;
}

/**
 * The last link, the rows after it as many as one link takes, the papers without a digest, and whether the link that the
 * control database knows stands.
 */
async function readUnchained({ database }: ChainCtx, head: AuditHead | null, papers: readonly Papers[]) {
  const undigested = papers.map((kind) =>
    database.build.all<PaperRow>(selectPapers(kind, lastDigested(kind))),
  );
  const [[last], [known], rows, ...paperRows] = await database.read([
    database.build.all<{ last_id: number; hash: string; chained_at: number }>(lastLink),
    database.build.all<AuditHead>(selectLink(head?.lastId ?? 0)),
    database.build.all<{ chained: string; kept: string | null }>(
      sql`SELECT ${chainedRow} AS chained, ${keptValues} AS kept FROM ${auditLog} WHERE ${auditLog.id} > ${lastChained}
        ORDER BY ${auditLog.id} LIMIT ${LINK_ROWS}`,
    ),
    ...undigested,
  ]);
  return {
    last:
      last === undefined ? NO_LINK : { lastId: last.last_id, hash: last.hash, chainedAt: last.chained_at },
    rows: rows.map(({ chained }) => JSON.parse(chained) as ChainedRow),
    kept: rows.map(({ kept }) => kept),
    papers: paperRows,
    holdsHead: head === null || known?.hash === head.hash,
  };
}

function erasedBy(rows: readonly ChainedRow[]): Erased[] {
  return rows
    .map(([, at, , action, record]) => ({ action: String(action), record: String(record), at: Number(at) }))
    .filter(({ action }) => isErasure(action));
}

/** Adds a link, where the one before it is still the last; gives undefined where it is not. */
async function addLink(
  ctx: ChainCtx,
  key: AuditKey,
  before: AuditHead,
  rows: readonly ChainedRow[],
  digests: readonly PaperDigest[],
): Promise<AuditHead | undefined> {
  const link = { lastId: rows.at(-1)?.[0] ?? before.lastId, chainedAt: ctx.now };
  const hash = await linkHash(key, before, link, rows, digests);
  const sealed = await ctx.encrypt(auditKeySecret, key.id, key.secret);
  const [, added] = await ctx.database.write([
    ctx.database.build.insert(auditKeys).values({ keyId: key.id, sealed }).onConflictDoNothing(),
    sql`INSERT INTO ${auditLinks} (last_id, key_id, hash, chained_at)
      SELECT ${link.lastId}, ${key.id}, ${hash}, ${ctx.now}
      WHERE ${before.lastId} = ${lastChained}`,
    insertDigests(key, { ...link, hash }, digests),
  ]);
  return added?.rowsAffected === 1 ? { ...link, hash } : undefined;
}
