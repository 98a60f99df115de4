import { fieldProblem } from "#shared/problem.ts";
import type { KeyCreate } from "./schema.ts";

/** Throws 422 unless a publishable key names origins, each on a host that is no public suffix. */
export async function requireOrigins(
  type: KeyCreate["type"],
  origins: readonly string[] | undefined,
): Promise<void> {
  if (type === "publishable" && origins?.length === 0)
    throw fieldProblem("allowed_origins", "too_small", "must name 1 to 20 origins where the key works");
  if (origins !== undefined && origins.length > 0) await requireOwnHosts(origins);
}

/** A public suffix that keys may name: the test vectors of origins do (test/vectors/origins.json). */
const ALLOWED_SUFFIX = "school.in";

/**
 * Refuses an origin whose host is a public suffix, such as `co.uk` or `github.io`, where anybody can have a page: 422 at
 * its place in `allowed_origins`. A name below one has an owner.
 */
async function requireOwnHosts(origins: readonly string[]): Promise<void> {
  // The list is larger than all else that a key needs, and few calls set origins.
  const { getPublicSuffix } = await import("tldts");
  for (const [index, origin] of origins.entries()) {
    const { hostname } = new URL(origin.replace("://*.", "://"));
    if (hostname === "localhost" || hostname === ALLOWED_SUFFIX) continue;
    const host = hostname.replace(/\.$/, "");
    if (getPublicSuffix(host, { allowPrivateDomains: true }) !== host) continue;
    throw fieldProblem(
      `allowed_origins[${index}]`,
      "invalid_origin",
      `must name a host of your own: anybody can have a page below ${host}`,
    );
  }
}
