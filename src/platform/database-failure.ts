import { LibsqlError } from "@libsql/client/http";

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
  /** Certainly not done, and another try would end alike: a fault of ours or of the disk. */
  | { kind: "fault" };

const BUSY = new Set([
  "SQLITE_BUSY",
  "TRANSACTION_BUSY",
  "TRANSACTION_TIMEOUT",
  "STREAM_EXPIRED",
  "SQLITE_LOCKED",
]);

/** Classes an error of the libSQL client by what it says of the batch (only primary codes come over HTTP). */
export function classify(error: unknown): Failure {
  if (!(error instanceof LibsqlError)) return { kind: "unknown" };
  if (error.code.startsWith("SQLITE_CONSTRAINT"))
    return { kind: "refused", code: refusalCode(error.message) };
  if (BUSY.has(error.code) || httpStatus(error) === 429) return { kind: "busy" };
  if (error.code.startsWith("SQLITE_") && error.code !== "SQLITE_INTERRUPT") return { kind: "fault" };
  const status = httpStatus(error);
  return status !== undefined && status >= 400 && status < 500 ? { kind: "fault" } : { kind: "unknown" };
}

function refusalCode(message: string): string {
  const constraint = /(?:UNIQUE|CHECK|NOT NULL) constraint failed: (?:index )?'?([\w., ]+)'?$/.exec(message);
  if (constraint?.[1] !== undefined) return constraint[1];
  if (message.endsWith("FOREIGN KEY constraint failed")) return "foreign_key";
  return /(\w+)$/.exec(message)?.[1] ?? "unknown_refusal";
}

function httpStatus(error: LibsqlError): number | undefined {
  const cause: unknown = error.cause;
  return cause instanceof Error && "status" in cause && typeof cause.status === "number"
    ? cause.status
    : undefined;
}
