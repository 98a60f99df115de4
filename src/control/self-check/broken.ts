import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";

const OPEN = {
  "every invoice and payment, and what was paid for an order, has its journal entry":
    "SELECT source_type || ' ' || source_id FROM unposted ORDER BY source_type, source_id",
};

/** How many records of those that break a sentence are named. */
export const MOST_IDS = 20;

/** A sentence that does not hold, how many records break it, and the first of them. */
export type Broken = { invariant: string; rows: number; ids: string[] };

/** What is no fault, but waits for somebody. A company of another currency keeps its books elsewhere. */
export async function openIn(database: Database, currency: string): Promise<Broken[]> {
  return currency === BOOKS_CURRENCY ? brokenIn(database, OPEN) : [];
}

/** The invariants of a group that do not hold, in one read. */
export async function brokenIn(
  database: Database,
  group: Readonly<Record<string, string>>,
): Promise<Broken[]> {
  const [first, ...rest] = Object.values(group).map((select) => counted(database, select));
  if (first === undefined) return [];
  const found = await database.read([first, ...rest]);
  return Object.keys(group).flatMap((invariant, index) => {
    const rows = (found[index] ?? []).map((row) => Object.values(row));
    const [count] = rows[0] ?? [];
    return count === undefined
      ? []
      : [{ invariant, rows: Number(count), ids: rows.map(([, id]) => String(id)) }];
  });
}

/** The first rows of a SELECT, each with how many there are in all before it. */
function counted(database: Database, select: string) {
  return database.build.all<object>(
    sql.raw(`SELECT count(*) OVER () AS broken_rows, * FROM (${select}) LIMIT ${MOST_IDS}`),
  );
}
