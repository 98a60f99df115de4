// The JSON shapes of Hrana over HTTP (v2 and v3) that this server reads and writes.
export type HranaValue =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };

export type HranaStatement = {
  sql?: string;
  sql_id?: number;
  args?: HranaValue[];
  named_args?: { name: string; value: HranaValue }[];
  want_rows?: boolean;
};

export type HranaCondition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: HranaCondition }
  | { type: "and" | "or"; conds: HranaCondition[] }
  | { type: "is_autocommit" };

export type HranaStep = { condition?: HranaCondition | null; stmt: HranaStatement };

export type HranaRequest =
  | { type: "execute"; stmt: HranaStatement }
  | { type: "batch"; batch: { steps: HranaStep[] } }
  | { type: "sequence"; sql?: string; sql_id?: number }
  | { type: "store_sql"; sql_id: number; sql: string }
  | { type: "close_sql"; sql_id: number }
  | { type: "close" | "get_autocommit" };

export type HranaPipeline = { baton?: string | null; requests: HranaRequest[] };

export type HranaError = { message: string; code: string };

export type HranaStatementResult = {
  cols: { name: string; decltype: string | null }[];
  rows: HranaValue[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
};

/** A statement or a request failed; the pipeline goes on and its answer carries the code. */
export class StatementError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The request breaks the protocol; the whole pipeline is answered 400. */
export class ProtocolError extends Error {}

export type SqlValue = null | bigint | number | string | Uint8Array;

/** Turns a value of the wire into one the engine binds: integers stay 64-bit, floats stay floats. */
export function decodeValue(value: HranaValue): SqlValue {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return decodeInteger(value.value);
    case "float":
    case "text":
      return value.value;
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      throw new ProtocolError("A value has an unknown type");
  }
}

function decodeInteger(text: string): bigint {
  const integer = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (integer === undefined || BigInt.asIntN(64, integer) !== integer) {
    throw new ProtocolError(`Not a 64-bit integer: ${text}`);
  }
  return integer;
}

/** Turns a value the engine read (with safe integers on) into one of the wire. */
export function encodeValue(value: SqlValue): HranaValue {
  switch (typeof value) {
    case "bigint":
      return { type: "integer", value: value.toString() };
    case "number":
      return { type: "float", value };
    case "string":
      return { type: "text", value };
    default:
      return value === null ? { type: "null" } : { type: "blob", base64: encodeBlob(value) };
  }
}

// Like sqld: base64 without padding.
function encodeBlob(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64").replace(/=+$/, "");
}
