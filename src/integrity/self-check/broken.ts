import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { STEPPED } from "#integrity/invariants/index.ts";
import { brokenRows, type Range, type Sentence, type Sentences } from "#integrity/invariants/sentence.ts";

const OPEN = {
  "every invoice, credit note, payment, advance and lesson has its journal entry":
    "SELECT source_type || ' ' || source_id FROM unposted ORDER BY source_type, source_id",
  "every refund that a gateway made of invoiced money has its credit note": `
    SELECT id FROM gateway_refunds INDEXED BY gateway_refunds_review
    WHERE source <> 'api' AND status IN ('pending', 'succeeded') AND credit_note_id IS NULL AND amount > advance_amount + covered_amount
      AND reviewed_at IS NULL`,
  "every refund that a gateway reports is of a payment that is known, in its currency and amount": `
    SELECT gateway || ' ' || gateway_refund_id FROM gateway_refund_events INDEXED BY gateway_refund_events_stray
    WHERE refund_id IS NULL AND dismissed_at IS NULL`,
};

/** How many records of those that break a sentence are named. */
export const MOST_IDS = 20;
/** How many rows of a table are looked at in one read: their sentences take a second or two. */
const STEP = 50_000;

/** A sentence that does not hold, how many records break it, and the first of them. */
export type Broken = { invariant: string; rows: number; ids: string[] };

/** A sentence that these records break; nothing where there is none. */
export function brokenBy(invariant: string, records: readonly (string | number)[]): Broken[] {
  const ids = [...new Set(records)].map(String);
  return ids.length === 0 ? [] : [{ invariant, rows: ids.length, ids: ids.slice(0, MOST_IDS) }];
}

/** What is no fault, but waits for the staff. */
export function openIn(database: Database): Promise<Broken[]> {
  return brokenIn(database, OPEN);
}

/** The last id of each table whose rows are looked at by themselves. */
export type Sizes = ReadonlyMap<string, number>;

/** How far a check has to go. What is written while it is under way is not looked at. */
export async function sizesOf(database: Database): Promise<Sizes> {
  const last = STEPPED.map((table) => sql.raw(`SELECT '${table}' AS name, max(id) AS last FROM ${table}`));
  const [rows] = await database.read([
    database.build.all<{ name: string; last: number | null }>(sql.join(last, sql` UNION ALL `)),
  ]);
  return new Map(rows.map(({ name, last }) => [name, last ?? 0]));
}

/**
 * The sentences of a group that do not hold. They are looked at in one read where the company is small. Where a table
 * has more rows than `step`, its sentences take a read for each so many rows, and each other sentence one of its own.
 */
export async function brokenIn(
  database: Database,
  group: Sentences,
  sizes: Sizes = new Map(),
  step = STEP,
): Promise<Broken[]> {
  const found = new Map<string, Broken>();
  for (const { sentences, range } of looksAt(group, sizes, step)) {
    const selects = sentences.map(([, sentence]) => counted(brokenRows(sentence, range)));
    const isLong = range === undefined && sentences.length === 1;
    const results = isLong ? await database.readLong(selects) : await readEach(database, selects);
    for (const [index, [invariant]] of sentences.entries()) {
      const cells = (results[index] ?? []).map((row) => Object.values(row));
      const [count] = cells[0] ?? [];
      if (count === undefined) continue;
      const { rows, ids } = found.get(invariant) ?? { rows: 0, ids: [] };
      const named = [...ids, ...cells.map(([, id]) => String(id))].slice(0, MOST_IDS);
      found.set(invariant, { invariant, rows: rows + Number(count), ids: named });
    }
  }
  return Object.keys(group).flatMap((invariant) => found.get(invariant) ?? []);
}

type Look = { sentences: [string, Sentence][]; range?: Range };

/** What is looked at in one read each. */
function* looksAt(group: Sentences, sizes: Sizes, step: number): Generator<Look, void> {
  const sentences = Object.entries(group);
  if ([...sizes.values()].every((last) => last <= step)) return yield { sentences };
  for (const one of sentences) if (typeof one[1] === "string") yield { sentences: [one] };
  for (const [table, last] of sizes) {
    const own = sentences.filter(([, sentence]) => typeof sentence !== "string" && sentence.of === table);
    for (let after = 0; own.length > 0 && after < last; after += step)
      yield { sentences: own, range: { after, until: after + step } };
  }
}

/** The rows of each SELECT, in one read. */
async function readEach(
  database: Database,
  [first, ...rest]: readonly SQL[],
): Promise<readonly (readonly object[])[]> {
  const all = (select: SQL) => database.build.all<object>(select);
  return first === undefined ? [] : database.read([all(first), ...rest.map(all)]);
}

/** The first rows of a SELECT, each with how many there are in all before it. */
function counted(select: string): SQL {
  return sql.raw(`SELECT count(*) OVER () AS broken_rows, * FROM (${select}) LIMIT ${MOST_IDS}`);
}
