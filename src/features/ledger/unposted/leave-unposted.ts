import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import { columnList } from "#platform/sql/column-list.ts";
import type { UnpostedReason } from "#shared/payments/posting.ts";
import { unposted } from "./tables.ts";

/** A document that an entry is of, and what kind of entry. */
export type Source = { sourceType: string; sourceId: SQL<number>; voucherType: string };

const columns = columnList(unposted, ["sourceType", "sourceId", "voucherType", "reason", "createdAt"]);

/** Notes why a document has no entry: `reason` is a code, or SQL that gives one. */
export function leaveUnposted(
  ctx: ReadCtx,
  { sourceType, sourceId, voucherType }: Source,
  reason: SQL | UnpostedReason,
  when: SQL = sql`true`,
): SQL {
  return sql`INSERT INTO ${unposted} (${columns()})
    SELECT ${sourceType}, ${sourceId}, ${voucherType}, ${reason}, ${ctx.now} WHERE ${when}`;
}

/** Why a document has no entry, for the answer of the write that made it; null where it has one. */
export function reasonUnposted(sourceType: "invoice" | "payment", sourceId: SQL) {
  // Literal text, so that it can stand in statements that bind nothing.
  return sql<UnpostedReason | null>`(SELECT ${unposted.reason} FROM ${unposted}
    WHERE ${unposted.sourceType} = ${sql.raw(`'${sourceType}'`)} AND ${unposted.sourceId} = ${sourceId})`;
}
