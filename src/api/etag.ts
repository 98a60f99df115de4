import { sha256Hex } from "#core/secrets/hash.ts";
import { fieldProblem } from "#shared/problem.ts";

const DIGITS = 32;

/** The ETag of a record: its version. */
export function versionTag(record: unknown): string {
  return `"${Object(record).version}"`;
}

/** The ETag of a read that its client may keep: a hash of the whole body. */
export async function bodyTag(body: string): Promise<string> {
  return `"${(await sha256Hex(body)).slice(0, DIGITS)}"`;
}

/** Whether If-None-Match says that the client has the body of this tag. */
export function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const known = ifNoneMatch?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known?.some((each) => each === tag || each === "*") === true;
}

/**
 * The version that If-Match names, which takes precedence over the body's. Throws 422 for anything else, also for a
 * blank header where the runtime passes it on: workerd drops it.
 */
export function versionIn(header: string | undefined): { expected_version?: number } {
  if (header === undefined || header === "*") return {};
  // A weak tag names the same version: caches on the way make strong ones weak.
  const version = Number(/^(?:W\/)?"(\d{1,15})"$/.exec(header.trim())?.[1]);
  if (version > 0) return { expected_version: version };
  throw fieldProblem("If-Match", "invalid_version", 'must be a version in quotes, such as "3"');
}
