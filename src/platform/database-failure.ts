import { DatabaseError } from "./hrana.ts";

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

export type Failure =
  | { kind: "refused"; code: string }
  /** Certainly not done, worth another try. */
  | { kind: "busy" }
  /** Perhaps done: the connection was lost, or no answer came in time. */
  | { kind: "unknown" }
  /** Certainly not done, and the database cannot write now: its disk is full, broken or read-only. */
  | { kind: "disk" }
  /** Certainly not done, and another try would end alike: a fault of ours. */
  | { kind: "fault" };

const BUSY = new Set([
  "SQLITE_BUSY",
  "TRANSACTION_BUSY",
  "TRANSACTION_TIMEOUT",
  "STREAM_EXPIRED",
  "SQLITE_LOCKED",
]);

const DISK = new Set(["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"]);

/** Classes an error of a request to the database by what it says of the batch (only primary codes come over HTTP). */
export function classify(error: unknown): Failure {
  if (!(error instanceof DatabaseError)) return { kind: "unknown" };
  if (error.code.startsWith("SQLITE_CONSTRAINT"))
    return { kind: "refused", code: refusalCode(error.message) };
  if (BUSY.has(error.code) || error.status === 429) return { kind: "busy" };
  if (DISK.has(error.code)) return { kind: "disk" };
  if (error.code.startsWith("SQLITE_") && error.code !== "SQLITE_INTERRUPT") return { kind: "fault" };
  const { status } = error;
  return status !== undefined && status >= 400 && status < 500 ? { kind: "fault" } : { kind: "unknown" };
}

function refusalCode(message: string): string {
  const constraint = /(?:UNIQUE|CHECK|NOT NULL) constraint failed: (?:index )?'?([\w., ]+)'?$/.exec(message);
  if (constraint?.[1] !== undefined) return constraint[1];
  if (message.endsWith("FOREIGN KEY constraint failed")) return "foreign_key";
  return /(\w+)$/.exec(message)?.[1] ?? "unknown_refusal";
}
