import { sql } from "drizzle-orm";
import { INVARIANTS } from "./invariants.ts";
import { companyDatabase } from "./migrate-companies.ts";
import type { ControlCtx } from "./plane.ts";
import type { CompanyParams } from "./schema.ts";

export type SelfCheckRow = { slug: string; broken: { invariant: string; rows: number }[] };

/** Looks for what breaks an invariant in one company's database, all in one snapshot of it. */
export async function selfCheck(ctx: ControlCtx, { slug }: CompanyParams): Promise<SelfCheckRow> {
  const database = await companyDatabase(ctx, slug);
  const [first = sql``, ...rest] = Object.values(INVARIANTS).map((select) => sql.raw(select));
  const query = (select: typeof first) => database.build.all<object>(select);
  const found = await database.read([query(first), ...rest.map(query)]);
  const counts = Object.keys(INVARIANTS).map((invariant, index) => ({
    invariant,
    rows: found[index]?.length ?? 0,
  }));
  return { slug, broken: counts.filter(({ rows }) => rows > 0) };
}
