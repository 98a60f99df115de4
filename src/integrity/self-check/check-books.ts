import type { Ctx } from "#core/context.ts";
import { INVARIANT_GROUPS } from "#integrity/invariants/index.ts";
import { type Broken, brokenIn, openIn, sizesOf } from "./broken.ts";

export type BooksCheckRow = { broken: Broken[]; open: Broken[] };

/** Looks for what breaks an invariant of the company's own books, papers and payments, each group in reads of its own. */
export async function checkBooks(ctx: Ctx): Promise<BooksCheckRow> {
  const database = ctx.database.alone;
  const { books, documents, payments, lessons } = INVARIANT_GROUPS;
  const sizes = await sizesOf(database);
  const broken: Broken[] = [];
  for (const group of [books, documents, payments, lessons])
    broken.push(...(await brokenIn(database, group, sizes)));
  return { broken, open: await openIn(database) };
}
