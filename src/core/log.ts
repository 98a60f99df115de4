import { AsyncLocalStorage } from "node:async_hooks";
import { ulid } from "#shared/text/ulid.ts";

export type RequestLine = {
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  actor?: string | undefined;
  code?: string | undefined;
};

/** What a call or a job is, as far as it is known: each of its lines says so. */
export type Work = {
  request_id?: string;
  operation?: string | undefined;
  company?: string | undefined;
};

const current = new AsyncLocalStorage<Work>();

/** Runs a call or a job, whose lines name it. */
export function asWork<Result>(work: Work, run: () => Result): Result {
  return current.run(work, run);
}

/** Adds what has become known of the call or job that runs; the id that it has stays. */
export function nameWork(known: Work): void {
  const work = current.getStore();
  if (work !== undefined) Object.assign(work, known, { request_id: work.request_id ?? known.request_id });
}

// A reader of lines may end one at them; JSON.stringify leaves them as they are.
const LINE_ENDS = /[\u2028\u2029]/g;

// Of a fault: what others send can be in its text, whose end says where it happened.
const MOST_HEAD = 2_000;
const MOST_TAIL = 1_500;
const MOST_SUBJECT = 200;

function lineOf(fields: object): string {
  return JSON.stringify(fields).replace(LINE_ENDS, (end) => (end === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** One structured line per request; ids only, never contents. */
export function logRequest(line: RequestLine): void {
  console.log(lineOf({ ...begun(), ...line }));
}

/**
 * A fault of ours or of a neighbour: nothing of it reaches the client. `fault` is a code of docs/operate.md, the same for
 * every such fault; `subject` is what it happened to. A text that is too long loses its middle.
 */
export function logFault(fault: string, error: unknown, subject?: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isLong = text.length > MOST_HEAD + MOST_TAIL;
  const shown = isLong ? `${text.slice(0, MOST_HEAD)} … ${text.slice(-MOST_TAIL)}` : text;
  console.error(lineOf({ fault, ...begun(), subject: subject?.slice(0, MOST_SUBJECT), error: shown }));
}

function begun() {
  const now = new Date();
  const work = current.getStore();
  // A job has the id of its first context, or one of its own where it fails before.
  if (work !== undefined) work.request_id ??= `req_${ulid(now.getTime())}`;
  return { time: now.toISOString(), ...work };
}
