import { fieldProblem } from "#shared/problem.ts";

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
