import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Erased, erasedRows } from "#core/write/erasures.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { COMPANY_ERASURES } from "../../../wiring/erasures.ts";
import { lineOf } from "../../failure.ts";
import type { Reader, Row, Value } from "../dump/values.ts";
import { companyDatabase, controlDatabase, readingAgain } from "./databases.ts";

/** What a company erased since a backup. `unread` says why its own database could not be asked, where that is so. */
export type Erasures = { erased: Erased[]; unread?: string };

const AT_ONCE = 1_000;
const ERASED_AT_ONCE = 500;
const dialect = new SQLiteAsyncDialect();
const actions = COMPANY_ERASURES.map(({ action }) => action);
const isOne = `action IN (${actions.map(() => "?").join(", ")})`;

/**
 * What a company erased since a backup of it: by its own audit log, and by the records of the control database. A
 * company that this service does not know erased nothing here.
 */
export async function erasuresSince(slug: string, takenAt: string): Promise<Erasures> {
  // Clocks differ somewhat, and what is erased again that is gone already changes nothing.
  const since = Date.parse(takenAt) - DAY_MS;
  const control = controlDatabase().address;
  const kept = await readingAgain(control, (stream) => keptBy(stream, slug, since));
  if (kept === undefined) return { erased: [] };
  try {
    const { address } = await companyDatabase(slug);
    return { erased: [...kept, ...(await readingAgain(address, (stream) => loggedBy(stream, since)))] };
  } catch (error) {
    return { erased: kept, unread: lineOf(error) };
  }
}

/** Erases in a restored database what was erased since, and writes it into its audit log. Gives how many records. */
export async function eraseAgain(stream: Reader, erased: readonly Erased[]): Promise<number> {
  const run = (statement: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return stream.all(text, params as Value[]);
  };
  await run(sql`UPDATE events SET at = coalesce((SELECT max(at) FROM audit_log), 0), request_id = 'restore', shape = 0,
    is_notified = 1 WHERE request_id IS NULL`);
  let count = 0;
  for (const { action, left, forget, erase } of COMPANY_ERASURES) {
    const some = erased.filter((one) => one.action === action);
    for (let start = 0; start < some.length; start += ERASED_AT_ONCE) {
      const given = erasedRows(some.slice(start, start + ERASED_AT_ONCE));
      const found = left(given);
      const noted = await run(sql`INSERT INTO audit_log (at, actor, action, record, request_id)
        SELECT max(at), 'restore', ${action}, record, '' FROM ${given}
        WHERE record IN (SELECT record FROM (${found})) GROUP BY record RETURNING id`);
      if (noted.length === 0) continue;
      count += noted.length;
      for (const statement of [...(forget?.(found) ?? []), ...erase(found)]) await run(statement);
    }
  }
  // The first erasure sent the events of its other changes, such as that of the assignee of a work item.
  await run(sql`DELETE FROM event_deliveries
    WHERE sequence IN (SELECT sequence FROM events WHERE request_id IS NULL)`);
  // What was sent since the backup is not known, nor whether this is another company now: a replay sends it.
  await run(sql`UPDATE event_deliveries SET state = 'skipped'
    WHERE state IN ('pending', 'sending', 'held')`);
  await run(sql`DELETE FROM events WHERE request_id IS NULL`);
  return count;
}

async function keptBy(control: Reader, slug: string, since: number): Promise<Erased[] | undefined> {
  const [company] = await control.all("SELECT id FROM companies WHERE slug = ?", [slug]);
  if (company === undefined) return undefined;
  const [id = null] = company;
  const rows = await control.all(
    `SELECT action, record, at FROM erasures WHERE company_id = ? AND at >= ? AND ${isOne}`,
    [id, BigInt(since), ...actions],
  );
  return rows.map(erasedOf);
}

async function loggedBy(stream: Reader, since: number): Promise<Erased[]> {
  const erased: Erased[] = [];
  for (let after: Value = 0n; ; ) {
    const rows: Row[] = await stream.all(
      `SELECT action, record, at, id FROM audit_log WHERE id > ? AND at >= ? AND ${isOne} ORDER BY id LIMIT ${AT_ONCE}`,
      [after, BigInt(since), ...actions],
    );
    erased.push(...rows.map(erasedOf));
    if (rows.length < AT_ONCE) return erased;
    after = rows.at(-1)?.[3] ?? after;
  }
}

function erasedOf([action = null, record = null, at = null]: Row): Erased {
  return { action: String(action), record: String(record), at: Number(at) };
}
