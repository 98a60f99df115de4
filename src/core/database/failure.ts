import { LibsqlError } from "@libsql/client/http";
import { REPLACED } from "./replaced.ts";

/** The database refused the batch and nothing of it stays; `code` is a RAISE text, a CHECK's name or `table.column`. */
export class BatchRefused extends Error {
  readonly code: string;
  /** True when an earlier attempt of the same batch ended without an answer, and so may have committed. */
  readonly afterUnknown: boolean;

  constructor(code: string, afterUnknown: boolean) {
    super(code);
    this.name = "BatchRefused";
    this.code = code;
    this.afterUnknown = afterUnknown;
  }
}

/** The group of a batch was not committed: nothing of the batch is done, and it may be tried again by itself. */
export class NotCommitted extends Error {}

export type Failure =
  | { kind: "refused"; code: string }
  /** Certainly not done, worth another try. */
  | { kind: "busy" }
  /** Certainly not done, for the database is not there: for a moment while it is evicted, or for good. */
  | { kind: "missing" }
  /** Perhaps done: the connection was lost, or no answer came in time. */
  | { kind: "unknown" }
  /** Certainly not done, and the database serves us nothing now: its disk, or our token, is not as it should be. */
  | { kind: "closed" }
  /** Certainly not done, for the file of the database is damaged. */
  | { kind: "damaged" }
  /** Certainly not done, for the database has no tables: its files are gone, and sqld has made an empty one. */
  | { kind: "empty" }
  /** Certainly not done, for another database has taken the place of this one. */
  | { kind: "replaced" }
  /** Certainly not done, nor will it be before the operator of the database lifts the block. */
  | { kind: "blocked" }
  /** Certainly not done, and another try would end alike: a fault of ours. */
  | { kind: "fault" };

const KIND_BY_CODE: Record<string, Exclude<Failure["kind"], "refused" | "replaced" | "empty">> = {
  SQLITE_BUSY: "busy",
  SQLITE_LOCKED: "busy",
  TRANSACTION_BUSY: "busy",
  TRANSACTION_TIMEOUT: "busy",
  STREAM_EXPIRED: "busy",
  SQLITE_FULL: "closed",
  SQLITE_IOERR: "closed",
  SQLITE_READONLY: "closed",
  SQLITE_CANTOPEN: "closed",
  SQLITE_CORRUPT: "damaged",
  SQLITE_NOTADB: "damaged",
  // The caller went away, perhaps while it was being committed.
  SQLITE_INTERRUPT: "unknown",
  BLOCKED: "blocked",
  // What would be read is measured row by row, so the batch ends before its COMMIT.
  RESPONSE_TOO_LARGE: "fault",
};
const OF_FILES = new Set(["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"]);
const FAULT = /^(SQLITE|SQL|ARGS)_/;
const NO_TABLE = /no such table: \w+$/;
const EMPTY = /no such table: database_generation$/;
// As sqld answers HTTP 500 where it cannot open a database, before it runs anything.
const SERVER_ERROR = 500;
const DAMAGED_FILE = /malformed|not a database/;
const CLOSED_FILE = /disk I\/O error|disk is full|No space left on device|unable to open database file/;

/** Of the HTTP statuses of answers that are none; another 4xx is a fault, and what is left is unknown. */
const KIND_BY_STATUS: Record<number, "busy" | "missing" | "closed" | "unknown"> = {
  // A token that is being changed: the address is read again within seconds, and then the same call succeeds.
  401: "closed",
  403: "closed",
  404: "missing",
  408: "unknown",
  429: "busy",
};

/** Classes an error of a request to the database by what it says of the batch (only primary codes come over HTTP). */
export function classify(error: unknown): Failure {
  if (error instanceof NotCommitted) return { kind: "busy" };
  if (!(error instanceof LibsqlError)) return { kind: "unknown" };
  const { code, cause } = error;
  if (code.startsWith("SQLITE_CONSTRAINT")) return refusalOf(refusalCode(error.message));
  const { status, message: text } = Object(cause);
  if (typeof status === "number") return { kind: kindOfStatus(status, text) };
  return { kind: KIND_BY_CODE[code] ?? (FAULT.test(code) ? "fault" : "unknown") };
}

/** Whether a table is not there: by a fault of ours, or for the database is another one since it was last looked at. */
export function lacksTable(error: unknown): boolean {
  return error instanceof LibsqlError && NO_TABLE.test(error.message);
}

/** Whether a company's own database has none of its tables. */
export function isEmpty(error: unknown): boolean {
  return error instanceof LibsqlError && EMPTY.test(error.message);
}

/** Whether what caused an error is that the server cannot read or write its files, as on a full disk. */
export function isOfFiles(error: unknown): boolean {
  const { cause } = Object(error);
  return cause instanceof LibsqlError && OF_FILES.has(cause.code);
}

function refusalOf(code: string): Failure {
  return code === REPLACED ? { kind: "replaced" } : { kind: "refused", code };
}

function kindOfStatus(status: number, text: string) {
  if (status === SERVER_ERROR && DAMAGED_FILE.test(text)) return "damaged";
  if (status === SERVER_ERROR && CLOSED_FILE.test(text)) return "closed";
  return KIND_BY_STATUS[status] ?? (status >= 400 && status < 500 ? "fault" : "unknown");
}

function refusalCode(message: string): string {
  const constraint = /(?:UNIQUE|CHECK|NOT NULL) constraint failed: (?:index )?'?([\w., ]+)'?$/.exec(message);
  if (constraint?.[1] !== undefined) return constraint[1];
  if (message.endsWith("FOREIGN KEY constraint failed")) return "foreign_key";
  return /(\w+)$/.exec(message)?.[1] ?? "unknown_refusal";
}
