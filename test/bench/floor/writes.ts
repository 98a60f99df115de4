import type { InValue } from "@libsql/client/http";
import type { Fresh, Statement } from "./plan.ts";
import { type Change, isSame, type Row, type Table } from "./tables.ts";

type Piece = Statement[number];

// A word in which two values differ, as an identifier or a number of a series has it.
const WORD = /[\w-]/;
// A word as short as that would come again in a run: it grows.
const FEW_DIGITS = 5;

/**
 * The statements that store the same rows as a call of the API did: constants, but for what must be new in each row,
 * which is known by the difference between two equal calls. `scale` keeps the numbers of two operations apart.
 */
export function writesOf(one: readonly Change[], other: readonly Change[], scale: number): Statement[] {
  const names = (changes: readonly Change[]) =>
    changes
      .filter(({ inserted }) => inserted.length > 0)
      .map(({ table, inserted }) => `${table.name}: ${inserted.length}`)
      .join(", ");
  if (names(one) !== names(other))
    throw new Error(`Two equal calls stored different rows: ${names(one)}; ${names(other)}`);
  const pairs = one.map((change) => ({
    change,
    second: other.find(({ table }) => table === change.table) ?? { ...change, updated: new Map() },
  }));
  return [
    ...parentsFirst(pairs).flatMap((pair) => inserts(pair, one, scale)),
    ...pairs.flatMap(({ change, second }) => updates(change, second)),
  ];
}

type Pair = { change: Change; second: Change };

/** The tables in an order in which no new row names one that is still to come. */
function parentsFirst(pairs: readonly Pair[]): Pair[] {
  const ordered: Pair[] = [];
  const visit = (pair: Pair, below: readonly Pair[]) => {
    if (ordered.includes(pair) || below.includes(pair)) return;
    for (const { parent } of pair.change.table.references)
      for (const other of pairs) if (other.change.table.name === parent) visit(other, [...below, pair]);
    ordered.push(pair);
  };
  for (const pair of pairs) visit(pair, []);
  return ordered;
}

/** One statement for all new rows of a table. */
function inserts({ change, second }: Pair, all: readonly Change[], scale: number): Statement[] {
  const { table, inserted } = change;
  if (inserted.length === 0) return [];
  const { name, columns, unique, references } = table;
  const isNewParent = (column: string, value: InValue) =>
    references.some(
      (reference) =>
        reference.column === column &&
        all.some(
          (other) =>
            other.table.name === reference.parent &&
            other.inserted.some((row) => isSame(row[reference.to], value)),
        ),
    );
  const marks = `(${columns.map(() => "?").join(", ")})`;
  const sql = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES ${inserted.map(() => marks).join(", ")}`;
  const values = inserted.flatMap((row, index) =>
    columns.map((column): Piece[] => {
      const value = row[column] ?? null;
      const later = second.inserted[index]?.[column] ?? null;
      const isFresh = !isSame(value, later) && (unique.has(column) || isNewParent(column, value));
      return isFresh ? fresh(value, later, scale, [index, inserted.length]) : [json(value)];
    }),
  );
  return [statement(sql, values)];
}

/** One statement for each row that was changed: by turns to what it became and what it was. */
function updates({ table, updated }: Change, second: Change): Statement[] {
  return [...updated].map(([key, { before, after }]) => {
    const again = second.updated.get(key);
    const values = again === undefined ? ([before, after] as const) : ([after, again.after] as const);
    return update(table, before, after, values);
  });
}

function update(table: Table, before: Row, after: Row, [even, odd]: readonly [Row, Row]): Statement {
  const changed = table.columns.filter((column) => !isSame(before[column], after[column]));
  const sql = `UPDATE "${table.name}" SET ${changed.map((column) => `"${column}" = ?`).join(", ")} WHERE ${table.key.map((column) => `${column} = ?`).join(" AND ")}`;
  return statement(sql, [
    ...changed.map((column): Piece[] => [{ turns: [json(even[column] ?? null), json(odd[column] ?? null)] }]),
    ...table.key.map((_, index) => [json(before[`key ${index}`] ?? null)]),
  ]);
}

function statement(sql: string, values: readonly Piece[][]): Statement {
  const list = values.flatMap((value, index) => (index === 0 ? value : [",", ...value]));
  const pieces: Piece[] = [`{"sql":${JSON.stringify(sql)},"args":[`, ...list, '],"want_rows":false}'];
  const joined: Statement = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/**
 * A value that no other row has: of a number the next ones, of a text the word in which the two differ. The last: which
 * of how many rows of the call it is.
 */
function fresh(
  value: InValue,
  later: InValue,
  scale: number,
  [index, count]: readonly [number, number],
): Piece[] {
  if (typeof value === "number" && typeof later === "number") {
    const step = later - value;
    return ['{"type":"integer","value":"', number(value, step, scale), '"}'];
  }
  if (typeof value !== "string" || typeof later !== "string")
    throw new Error(`No new value can be made of ${String(value)}`);
  let start = 0;
  while (value[start] === later[start]) start += 1;
  let end = value.length;
  while (start > 0 && WORD.test(value[start - 1] ?? "")) start -= 1;
  while (end > start && !WORD.test(value[end - 1] ?? "")) end -= 1;
  const [head, digits] = [JSON.stringify(value.slice(0, start)).slice(0, -1), end - start];
  const tail = JSON.stringify(value.slice(end)).slice(1);
  return [
    `{"type":"text","value":${head}`,
    {
      ...number(index, count, scale),
      ...(digits < FEW_DIGITS ? {} : { digits }),
    },
    `${tail}}`,
  ];
}

function number(value: number, step: number, scale: number): Fresh {
  return { first: value + step * scale, step };
}

function json(value: InValue): string {
  if (value === null) return '{"type":"null"}';
  if (value instanceof ArrayBuffer)
    return JSON.stringify({ type: "blob", base64: Buffer.from(value).toString("base64") });
  if (typeof value === "number" && !Number.isInteger(value)) return JSON.stringify({ type: "float", value });
  if (typeof value === "string") return JSON.stringify({ type: "text", value });
  return JSON.stringify({ type: "integer", value: String(Number(value)) });
}
