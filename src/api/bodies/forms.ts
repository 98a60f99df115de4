import { requireAdmission } from "#core/coordination.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { isBlank } from "#shared/fields/text.ts";
import { Upload } from "#shared/files/upload.ts";
import { isZip } from "#shared/files/zip.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { tooMany } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import type { RequestContext } from "../request-state.ts";
import { malformed, type Part, parseMultipart } from "./multipart.ts";
import { announcedLength, FORBIDDEN_KEYS, forbidden, readBytes } from "./read-body.ts";
import { type Arrival, UploadBudget } from "./upload-budget.ts";

/** A file of 10 MiB and the fields beside it. */
const FORM_LIMIT = 11 * 1024 * 1024;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;

const BUDGET = 40 * 1024 * 1024;
const POLL_MS = 50;
const PATIENCE_MS = 15_000;
const TURN_PATIENCE_MS = 3_000;
const LOOK_MS = 250;
// A file of 10 MiB at 300 kbit/s.
const WHOLE_MS = 5 * MINUTE_MS;

// The forms under way in this isolate, which share its memory.
const uploads = new UploadBudget(BUDGET);
// To unpack takes processor time, so the isolate judges one package at a time.
const turns = new UploadBudget(1);

/**
 * Reads a form once there is room for it, checks its fields, and keeps that room until `work` has ended. A field left
 * empty counts as not sent; one sent twice is a list. Throws 408 for a body that is too slow, 413, 422 for one that is no
 * form or has two files, 429 when no room comes.
 */
export async function withForm<Checked>(
  c: RequestContext,
  check: (fields: Record<string, unknown>) => Promise<Checked>,
  work: (fields: Record<string, unknown>, checked: Checked) => Promise<void>,
): Promise<void> {
  const { admission } = c.get("state");
  if (admission !== undefined) await requireAdmission(admission);
  const boundary = boundaryOf(c);
  const arrival = await reserve(c, uploads, announcedLength(c.req.raw, FORM_LIMIT) || FORM_LIMIT);
  let body: Uint8Array<ArrayBuffer> | undefined;
  try {
    body = await arrive(c, arrival);
    const parts = parseMultipart(body, boundary).filter(({ value }) => !isEmpty(value));
    if (c.req.header("Idempotency-Key") !== undefined) c.get("state").body = await fingerprinted(parts);
    const isPacked = parts.some(({ value }) => value instanceof Upload && isZip(value.bytes));
    const fields = fieldsOf(parts);
    await work(fields, await (isPacked ? inTurn(c, () => check(fields)) : check(fields)));
  } finally {
    uploads.release(arrival);
    // Given back at once: what waits for the collector would count against the isolate beside the next body.
    body?.buffer.transfer(0);
  }
}

function boundaryOf(c: RequestContext): string {
  const found = BOUNDARY.exec(c.req.header("Content-Type") ?? "");
  if (found === null) throw malformed("its Content-Type names no boundary");
  return found[1] ?? found[2] ?? "";
}

async function inTurn<Checked>(c: RequestContext, check: () => Promise<Checked>): Promise<Checked> {
  const turn = await reserve(c, turns, 1, TURN_PATIENCE_MS);
  try {
    return await check();
  } finally {
    turns.release(turn);
  }
}

/** Reserves bytes of a budget: of memory what the body announces, or else may take. */
async function reserve(
  c: RequestContext,
  budget: UploadBudget,
  bytes: number,
  patience = PATIENCE_MS,
): Promise<Arrival> {
  const since = Date.now();
  const company = c.get("state").key?.company.slug ?? "";
  const waiting = { company, bytes, since, askedAt: since };
  for (;;) {
    const now = Date.now();
    const arrival = budget.ask(waiting, now);
    if (arrival !== undefined) return arrival;
    if (now > since + patience) {
      budget.leave(waiting);
      throw tooManyUploads();
    }
    await scheduler.wait(POLL_MS);
  }
}

/** The whole body; 408 when it stops, is too slow, or when the budget ends it for another company's. */
async function arrive(c: RequestContext, arrival: Arrival): Promise<Uint8Array<ArrayBuffer>> {
  const overdue = Promise.withResolvers<never>();
  overdue.promise.catch(() => undefined);
  const watch = setInterval(() => {
    if (arrival.endedAt !== undefined) overdue.reject(gaveWay());
  }, LOOK_MS);
  try {
    const body = await readBytes(c.req.raw, FORM_LIMIT, {
      within: WHOLE_MS,
      ended: overdue.promise,
      size: (bytes) => {
        arrival.received = bytes;
        arrival.lastByteAt = Date.now();
      },
    });
    arrival.completeAt = Date.now();
    return body;
  } finally {
    clearInterval(watch);
  }
}

function gaveWay(): Problem {
  const message = "The body came too slowly while others waited: send it again";
  return new Problem("request_timeout", { message });
}

function tooManyUploads(): Problem {
  const message = (seconds: number) => `Too many files arrive at once: try again in ${seconds} s`;
  return tooMany("rate_limited", POLL_MS, message);
}

/** What a browser sends for an empty field. */
function isEmpty(value: string | Upload): boolean {
  return value instanceof Upload ? value.name === "" && value.bytes.length === 0 : isBlank(value);
}

function fieldsOf(parts: readonly Part[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  let files = 0;
  for (const { name, value } of parts) {
    if (FORBIDDEN_KEYS.has(name)) throw forbidden(name);
    if (value instanceof Upload) files += 1;
    if (files > 1) throw fieldProblem(name, "too_many_files", "must be the only file");
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  }
  return Object.fromEntries(fields);
}

/** The form without its boundary, which a client draws anew for each try of the same call. */
async function fingerprinted(parts: readonly Part[]): Promise<Uint8Array<ArrayBuffer>> {
  const told = parts.map(async ({ name, value }) =>
    value instanceof Upload ? [name, value.name, await sha256Hex(value.bytes)] : [name, value],
  );
  return Uint8Array.from(new TextEncoder().encode(JSON.stringify(await Promise.all(told))));
}
