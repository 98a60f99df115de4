import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Ctx, ReadCtx } from "./context.ts";

/** Whether something is due now (1), and the instant of the earliest that is not yet, in the company's time. */
export type Look = { due: 0 | 1; next: number | null };

/** One kind of thing that comes due in a company's database: how it is found, and what is done then. */
export type Due = {
  /** A SELECT of one JSON text named `snapshot`. */
  look: (ctx: ReadCtx) => SQL<Look>;
  /** Does it, or queues it. Gives when to look again at what it did not end, in the company's time, or null. */
  act: (ctx: Ctx) => Promise<number | null>;
};

/** The rows that may come due: `instant` is when one is due, and `index` is a partial index on it with the condition `where`. */
type Place = { table: SQLiteTable; index: string; where: SQL; instant: SQL };

/** The look at the rows of a table: two seeks, since the index is named, which the database might not choose by itself. */
export function lookAt(ctx: ReadCtx, { table, index, where, instant }: Place): SQL<Look> {
  const rows = sql`FROM ${table} INDEXED BY ${sql.identifier(index)} WHERE ${where}`;
  return sql`SELECT json_object(
    'due', EXISTS (SELECT 1 ${rows} AND ${instant} <= ${ctx.now}),
    'next', (SELECT ${instant} ${rows} AND ${instant} > ${ctx.now} ORDER BY ${instant} LIMIT 1)
  ) AS snapshot`;
}
