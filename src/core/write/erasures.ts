import { type SQL, sql } from "drizzle-orm";

/** What was erased of a company for good, as its audit log says it: by which action, of which record, at which epoch ms. */
export type Erased = { action: string; record: string; at: number };

/** How what one action erases is erased again, from a database that is older than the erasure. */
export type Erasure = {
  /** As the audit log has it; `isErasure` knows it. */
  action: string;
  /** Selects which of the given `record`s, each erased at `at`, are there and older than that. */
  left: (given: SQL) => SQL;
  /** The statements that clear its snapshots in events, where no trigger does; they come first. */
  forget?: (left: SQL) => SQL[];
  /** The statements that erase what `left` selects. */
  erase: (left: SQL) => SQL[];
};

/** The records of a `left`, as the integers that they are the text of. */
export function integersOf(left: SQL): SQL {
  return sql`SELECT CAST(record AS INTEGER) FROM (${left})`;
}

const ERASURE = /^(?:erase|delete)[A-Z]/;

/** Whether an action of the audit log erases a record, and with it what it may say of a person. */
export function isErasure(action: string): boolean {
  return ERASURE.test(action);
}

/** The rows that a list of what was erased is to a statement: their `record` and `at`. */
export function erasedRows(erased: readonly Erased[]): SQL {
  const rows = JSON.stringify(erased.map(({ record, at }) => [record, at]));
  return sql`(SELECT value ->> 0 AS record, value ->> 1 AS at FROM json_each(${rows}))`;
}
