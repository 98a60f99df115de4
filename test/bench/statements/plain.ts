import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Statement, Value } from "../recording/statements.ts";

/** How long SQLite prepares and runs a statement, in ms, and how long its text is. */
export type Timed = { sql: string; bytes: number; prepareMs: number; runMs: number };

const RUNS = 60;

/** Runs the statements one after the other, so many times, each time taken back; gives the median of each. */
export function timed(file: string, statements: readonly Statement[]): Timed[] {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA foreign_keys = ON");
  const prepare: number[][] = statements.map(() => []);
  const run: number[][] = statements.map(() => []);
  for (let count = 0; count < RUNS; count += 1) {
    database.exec("BEGIN IMMEDIATE");
    for (const [index, { sql, args }] of statements.entries()) {
      const startedAt = performance.now();
      const statement = database.prepare(sql);
      const preparedAt = performance.now();
      statement.all(...args.map(bound));
      run[index]?.push(performance.now() - preparedAt);
      prepare[index]?.push(preparedAt - startedAt);
    }
    database.exec("ROLLBACK");
  }
  database.close();
  return statements.map(({ sql }, index) => ({
    sql,
    bytes: Buffer.byteLength(sql),
    prepareMs: middle(prepare[index]),
    runMs: middle(run[index]),
  }));
}

function bound(value: Value): SQLInputValue {
  if (value.type === "null") return null;
  if (value.type === "integer") return BigInt(value.value);
  if (value.type === "blob") return Buffer.from(value.base64, "base64");
  return value.value;
}

function middle(times: readonly number[] = []): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
