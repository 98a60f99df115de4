import { fieldProblem } from "#shared/problem.ts";

/**
 * What If-Match says of the version that a change is meant for; it goes before the body's. Throws 422 for a blank one too,
 * where the runtime shows it: workerd takes it for none.
 */
export function versionIn(header: string | undefined): { expected_version?: number } {
  if (header === undefined || header === "*") return {};
  // A weak tag names the same version: caches on the way make strong ones weak.
  const version = Number(/^(?:W\/)?"(\d{1,15})"$/.exec(header.trim())?.[1]);
  if (version > 0) return { expected_version: version };
  throw fieldProblem("If-Match", "invalid_version", 'must be a version in quotes, such as "3"');
}
