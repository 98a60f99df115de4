import { Problem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import type { RequestContext } from "../request-state.ts";
import { IDLE_MS } from "./upload-budget.ts";

export const JSON_LIMIT = 256 * 1024;
const FIRST_BYTES = 4 * 1024;
const MOST_DEPTH = 32;
// No body of an operation has so many: 256 KiB hold 19,000 members of invoice lines.
const MOST_MEMBERS = 25_000;
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The caller ended its body, or the connection, before the length was there: no caller waits for a reply. */
export class ClientClosed extends Error {}

type Read = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/**
 * How a body comes in: `within` so many milliseconds in all. `ended` may end it earlier, by rejecting; `size` gets
 * how many bytes have come.
 */
type Watch = { within: number; ended?: Promise<never>; size?: (bytes: number) => void };

/** What was read; throws 408 where the body stops, or is not whole at `until`. */
async function inTime(read: Promise<Read>, until: number, ended: Promise<never>[]): Promise<Read> {
  const overdue = Promise.withResolvers<never>();
  const left = until - Date.now();
  const message =
    left < IDLE_MS ? "The body took too long in all" : `No byte of the body came for ${IDLE_MS / 1_000} s`;
  const refuse = () => overdue.reject(new Problem("request_timeout", { message }));
  const timer = setTimeout(refuse, Math.min(IDLE_MS, left));
  return Promise.race([read, overdue.promise, ...ended]).finally(() => clearTimeout(timer));
}

/** Whether the request brings a form with, or without, files. */
export function isMultipart(c: RequestContext): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(c.req.header("Content-Type") ?? "");
}

/** The length that the request announces, 0 where it does not; more than `limit` is 413. */
export function announcedLength(request: Request, limit: number): number {
  const announced = Number(request.headers.get("Content-Length") ?? 0);
  if (announced > limit) throw tooLarge(limit);
  return announced;
}

/** The request's body, at most `limit` bytes, whether its length is announced or not; more is 413, one that stops or is slow 408. */
export async function readBytes(
  request: Request,
  limit: number,
  { within, ended, size: report }: Watch = { within: MINUTE_MS },
): Promise<Uint8Array<ArrayBuffer>> {
  const until = Date.now() + within;
  const endings = ended === undefined ? [] : [ended];
  const announced = announcedLength(request, limit);
  const reader = request.body?.getReader({ mode: "byob" });
  // Read into one buffer: the chunks of a large body would take its memory twice. One byte more shows its end.
  let buffer = new ArrayBuffer((announced || FIRST_BYTES) + 1);
  let size = 0;
  while (reader !== undefined) {
    const piece = reader.read(new Uint8Array(buffer, size)).catch(cutShort);
    const { value, done } = await inTime(piece, until, endings);
    if (value !== undefined) buffer = value.buffer;
    if (done) break;
    size += value.byteLength;
    report?.(size);
    if (size > limit) {
      reader.releaseLock();
      throw tooLarge(limit);
    }
    if (size === buffer.byteLength) buffer = buffer.transfer(Math.min(2 * size, limit + 1));
  }
  return new Uint8Array(buffer, 0, size);
}

function cutShort(cause: unknown): never {
  throw new ClientClosed("The body ended early", { cause });
}

/** The text of a JSON body; 400 `invalid_json` when its bytes are no UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Problem("invalid_json", { message: "The body is not valid UTF-8" });
  }
}

/**
 * Refuses a JSON value that is too deep, too wide, or has a name that only an attack sends. Walks level by level,
 * without recursion: a body of depth 1,000,000 must not exhaust the stack.
 */
export function inspectJson(root: unknown): void {
  let level = [root];
  let members = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MOST_DEPTH)
      throw new Problem("invalid_json", { message: `The body is nested deeper than ${MOST_DEPTH} levels` });
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      // Each object and each array counts too, for it costs as much where it is empty.
      members += 1;
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) members += 1;
        if (FORBIDDEN_KEYS.has(key)) throw forbidden(key);
        if (typeof member === "object" && member !== null) next.push(member);
      }
    }
    if (members > MOST_MEMBERS)
      throw new Problem("invalid_json", { message: `The body has more than ${MOST_MEMBERS} members` });
    level = next;
  }
}

/** The 422 of a name that only an attack sends. */
export function forbidden(key: string): Problem {
  const message = "is not accepted as a name";
  return new Problem("validation_failed", {
    message: `${key} ${message}`,
    errors: [{ field: key, code: "forbidden_name", message }],
  });
}

function tooLarge(limit: number): Problem {
  return new Problem("payload_too_large", { message: `The body is larger than ${limit} bytes` });
}
