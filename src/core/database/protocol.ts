import { type InStatement, type InValue, LibsqlError } from "@libsql/client/http";

// What Hrana 2 says over HTTP (libsql, docs/HRANA_2_SPEC.md), as far as it is used.
type Value =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string };
export type Condition =
  | { type: "ok"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and"; conds: readonly Condition[] };
/** A statement whose values are bound. */
export type Bound = { sql: string; args?: readonly Value[]; want_rows: boolean };
export type Step = { stmt: Bound; condition?: Condition };
type Cell = { type: string; value?: string | number; base64?: string };
type StepError = { message: string; code?: string };
type StepResult = { cols: { name: string | null }[]; rows: Cell[][]; affected_row_count: number };
/** How the steps of a batch ended, each by its place: with a result, with an error, or left out. */
export type BatchReply = {
  step_results: (StepResult | null)[];
  step_errors: (StepError | null)[];
};
export type PipelineReply = {
  baton: string | null;
  base_url?: string | null;
  results: { type: string; error?: StepError; response?: { type: string; result?: BatchReply } }[];
};

/** What a statement gave. Of a row, each cell stands under the name of its column and under its place. */
export type Result = { rows: Row[]; rowsAffected: number };
export type Row = Record<string | number, string | number | bigint | ArrayBuffer | null>;

/** A statement that frames others: its rows are not asked for. */
export function framing(sql: string, condition?: Condition): Step {
  const stmt = { sql, want_rows: false };
  return condition === undefined ? { stmt } : { stmt, condition };
}

export function ok(step: number): Condition {
  return { type: "ok", step };
}

export function notOk(step: number): Condition {
  return { type: "not", cond: ok(step) };
}

/** Binds the values. A whole number goes as a 64-bit integer: as a JavaScript number it would be a REAL. */
export function bind({ sql, params }: { sql: string; params: readonly unknown[] }): Bound {
  return { sql, args: params.map(toValue), want_rows: true };
}

/** The same statement for the client of libSQL. */
export function plainValues({ sql, args = [] }: Bound): InStatement {
  return { sql, args: args.map(plainValue) };
}

function plainValue(value: Value): InValue {
  if (value.type === "null") return null;
  return value.type === "integer" ? BigInt(value.value) : value.value;
}

/** About how many bytes the statements take in a request. */
export function sizeOf(statements: readonly Bound[]): number {
  return statements.reduce((sum, { sql, args = [] }) => sum + sql.length + args.reduce(addSize, 0), 0);
}

function addSize(sum: number, value: Value): number {
  return sum + (value.type === "text" ? value.value.length : 8);
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  // Text is UTF-8 there, which has no half of a pair; an outside service may have sent one.
  if (typeof value === "string") return { type: "text", value: value.toWellFormed() };
  if (typeof value === "number" && Number.isFinite(value))
    return Number.isSafeInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
  throw new TypeError(`A ${typeof value} cannot be bound`);
}

/** What the step gave. Throws the error that it ended with, or another where it was left out. */
export function resultOf({ step_results, step_errors }: BatchReply, step: number): Result {
  const error = step_errors[step];
  if (error) throw errorOf(error);
  const result = step_results[step];
  if (!result) throw new Error("The database left out a step of the batch");
  const columns = result.cols.map(({ name }) => name ?? "");
  return {
    rows: result.rows.map((cells) => NamedRow.of(columns, cells.map(fromValue))),
    rowsAffected: result.affected_row_count,
  };
}

/** The error of a statement or a batch, as the client of libSQL throws it. */
export function errorOf({ message, code }: StepError): LibsqlError {
  return new LibsqlError(message, code ?? "UNKNOWN");
}

function fromValue({ type, value, base64 }: Cell): Row[string] {
  switch (type) {
    case "null":
      return null;
    case "integer":
      return wholeNumber(Number(value));
    case "blob":
      return Uint8Array.from(atob(base64 ?? ""), (byte) => byte.charCodeAt(0)).buffer;
    default:
      if (value === undefined) throw new Error(`The database sent a value of an unknown type: ${type}`);
      return value;
  }
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError("An integer is too large for a JavaScript number");
  return value;
}

// SQLite's own limit for the columns of a result is higher; no SELECT here has so many.
const MOST_COLUMNS = 200;

/** A row's cells by name, which are its members, and by place, which drizzle reads. */
class NamedRow {
  readonly #cells: readonly Row[string][];

  static {
    for (let place = 0; place < MOST_COLUMNS; place += 1)
      Object.defineProperty(NamedRow.prototype, place, {
        get(this: NamedRow) {
          return this.#cells[place];
        },
      });
  }

  private constructor(cells: readonly Row[string][]) {
    this.#cells = cells;
  }

  static of(columns: readonly string[], cells: readonly Row[string][]): Row {
    if (columns.length > MOST_COLUMNS) throw new RangeError("A result has too many columns");
    const row = Object.assign<object, Row>(new NamedRow(cells), {});
    // Of two columns of one name the first has it; and one may be named as a place is.
    for (const [place, name] of columns.entries()) if (!(name in row)) row[name] = cells[place] ?? null;
    return row;
  }
}
