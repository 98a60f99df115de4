import type { Ctx } from "#core/context.ts";
import { type AuditKey, auditKeySecret } from "#core/write/audit-link.ts";
import { INVARIANT_GROUPS } from "#integrity/invariants/index.ts";
import { auditKeys } from "#tables/core";
import { type Broken, brokenIn, openIn, sizesOf } from "./broken.ts";
import { checkMoves } from "./check-moves.ts";
import { checkPapers } from "./check-papers.ts";

export type BooksCheckRow = { broken: Broken[]; open: Broken[] };

/**
 * Looks for what breaks an invariant of the company's own books, papers, stock and payments, each group in reads of its
 * own, and for papers that are not what their digests say.
 */
export async function checkBooks(ctx: Ctx): Promise<BooksCheckRow> {
  const database = ctx.database.alone;
  const { books, documents, stock, payments, moves, lessons, traces } = INVARIANT_GROUPS;
  const sizes = await sizesOf(database);
  const broken: Broken[] = [];
  for (const group of [books, documents, stock, payments, moves, lessons, traces])
    broken.push(...(await brokenIn(database, group, sizes)));
  broken.push(...(await checkMoves(database)).broken);
  const papers = await checkPapers(database, await digestKeys(ctx));
  return { broken: [...broken, ...papers.broken], open: await openIn(database) };
}

/** The keys of the company's digests, which it keeps encrypted. What cannot be opened opens no paper. */
async function digestKeys({ database, decrypt }: Ctx): Promise<Map<string, AuditKey>> {
  const [rows] = await database.read([database.build.select().from(auditKeys)]);
  const opened = rows.map(async ({ keyId: id, sealed }) => {
    const secret = await decrypt(auditKeySecret, id, sealed).catch(() => undefined);
    return secret === undefined ? [] : [[id, { id, secret }] as const];
  });
  return new Map((await Promise.all(opened)).flat());
}
