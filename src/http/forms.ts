import { requireAdmission, retryAfter } from "#platform/coordination.ts";
import { sha256Hex } from "#platform/secrets.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { Upload } from "#shared/upload.ts";
import { FORBIDDEN_KEYS, forbidden, readBytes } from "./body.ts";
import { malformed, type Part, parseMultipart } from "./multipart.ts";
import type { RequestContext } from "./state.ts";

/** A file of 10 MiB and the fields beside it. */
const FORM_LIMIT = 11 * 1024 * 1024;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;

const MOST_UPLOADS = 3;
const POLL_MS = 50;
const PATIENCE_MS = 15_000;
/** A caller that goes away takes its request along, `finally` and all; its place is free again after this. */
const LEASE_MS = 60_000;

// When each upload under way in this isolate began: all of them share the isolate's memory.
const uploads = new Set<{ since: number }>();

/** Whether the request brings a form with, or without, files. */
export function isMultipart(c: RequestContext): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(c.req.header("Content-Type") ?? "");
}

/**
 * Reads a form once there is room for it, and keeps that room until `work` has ended. A field left empty counts as not
 * sent; one sent twice is a list. Throws 413, 422 for a body that is no form or has two files, 429 when no room comes.
 */
export async function withForm(
  c: RequestContext,
  work: (fields: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const { admission } = c.get("state");
  if (admission !== undefined) await requireAdmission(admission);
  const place = await takePlace();
  let body: Uint8Array<ArrayBuffer> | undefined;
  try {
    const boundary = boundaryOf(c);
    body = await readBytes(c.req.raw, FORM_LIMIT);
    const parts = parseMultipart(body, boundary).filter(({ value }) => !isBlank(value));
    if (c.req.header("Idempotency-Key") !== undefined) c.get("state").body = await fingerprinted(parts);
    await work(fieldsOf(parts));
  } finally {
    uploads.delete(place);
    // Given back at once: what waits for the collector would count against the isolate beside the next body.
    body?.buffer.transfer(0);
  }
}

function boundaryOf(c: RequestContext): string {
  const found = BOUNDARY.exec(c.req.header("Content-Type") ?? "");
  if (found === null) throw malformed("its Content-Type names no boundary");
  return found[1] ?? found[2] ?? "";
}

async function takePlace(): Promise<{ since: number }> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = Date.now();
    for (const upload of uploads) if (upload.since + LEASE_MS < now) uploads.delete(upload);
    if (uploads.size < MOST_UPLOADS) {
      const place = { since: now };
      uploads.add(place);
      return place;
    }
    if (now > deadline) throw tooManyUploads();
    await scheduler.wait(POLL_MS);
  }
}

function tooManyUploads(): Problem {
  const seconds = retryAfter(POLL_MS);
  return new Problem("rate_limited", {
    message: `Too many files arrive at once: try again in ${seconds} s`,
    members: { retry_after: seconds },
    headers: { "Retry-After": String(seconds) },
  });
}

/** What a browser sends for a field that nobody filled in. */
function isBlank(value: string | Upload): boolean {
  return value instanceof Upload ? value.name === "" && value.bytes.length === 0 : value.trim() === "";
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
