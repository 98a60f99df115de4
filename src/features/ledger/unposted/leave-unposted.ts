import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import type { UnpostedReason } from "#shared/payments/posting-warnings.ts";
import { unposted } from "#tables/ledger";

const columns = columnList(unposted, ["sourceType", "sourceId", "voucherType", "reason", "createdAt"]);
const insert = keptStatement(
  (
    given: Given<{
      sourceType: string;
      sourceId: SQL;
      voucherType: string;
      reason: UnpostedReason;
      now: number;
    }>,
  ) => sql`INSERT INTO ${unposted} (${columns()})
    SELECT ${given.sourceType}, ${given.sourceId}, ${given.voucherType}, ${given.reason}, ${given.now}`,
);

/** A document that an entry is of, and what kind of entry. */
export type Source = { sourceType: string; sourceId: SQL<number>; voucherType: string };

/** Notes why a document has no entry. */
export function leaveUnposted(
  ctx: ReadCtx,
  { sourceType, sourceId, voucherType }: Source,
  reason: UnpostedReason,
): SQL {
  return insert({ sourceType, sourceId, voucherType, reason, now: ctx.now });
}

type DocumentType = "invoice" | "payment" | "credit_note" | "credit_payout";

/** Why a document has no entry, for the answer of the write that made it; null where it has one. */
export function reasonUnposted(sourceType: DocumentType, sourceId: SQL) {
  // Literal text, so that it can stand in statements that bind nothing.
  return sql<UnpostedReason | null>`(SELECT ${unposted.reason} FROM ${unposted}
    WHERE ${unposted.sourceType} = ${sql.raw(`'${sourceType}'`)} AND ${unposted.sourceId} = ${sourceId})`;
}
