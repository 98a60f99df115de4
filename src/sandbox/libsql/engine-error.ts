import { StatementError } from "./protocol.ts";

// Indexed by SQLite's primary result code. sqld has no name for code 1, the plain SQLITE_ERROR.
const PRIMARY_CODES = [
  "SQLITE_UNKNOWN",
  "SQLITE_UNKNOWN",
  "SQLITE_INTERNAL",
  "SQLITE_PERM",
  "SQLITE_ABORT",
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_NOMEM",
  "SQLITE_READONLY",
  "SQLITE_INTERRUPT",
  "SQLITE_IOERR",
  "SQLITE_CORRUPT",
  "SQLITE_NOTFOUND",
  "SQLITE_FULL",
  "SQLITE_CANTOPEN",
  "SQLITE_PROTOCOL",
  "SQLITE_UNKNOWN",
  "SQLITE_SCHEMA",
  "SQLITE_TOOBIG",
  "SQLITE_CONSTRAINT",
  "SQLITE_MISMATCH",
  "SQLITE_MISUSE",
  "SQLITE_NOLFS",
  "SQLITE_AUTH",
  "SQLITE_UNKNOWN",
  "SQLITE_RANGE",
  "SQLITE_NOTADB",
];

/** Names an engine error as sqld does: the primary code only, SQLite's text behind a prefix. */
export function toStatementError(error: unknown, during: "prepare" | "run"): unknown {
  if (!(error instanceof Error) || !("rawCode" in error) || typeof error.rawCode !== "number") return error;
  const primary = error.rawCode & 0xff;
  if (during === "prepare" && primary === 1) {
    return new StatementError(`SQL input error: ${error.message}`, "SQL_INPUT_ERROR");
  }
  return new StatementError(`SQLite error: ${error.message}`, PRIMARY_CODES[primary] ?? "SQLITE_UNKNOWN");
}
