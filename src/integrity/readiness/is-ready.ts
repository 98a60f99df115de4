import type { Directory } from "#tenancy/directory.ts";
import { judge } from "./judge.ts";

const KEPT_MS = 5_000;

let known: { ready: boolean; at: number } | undefined;
let judgingSince = Number.NEGATIVE_INFINITY;

/**
 * Whether this instance can serve: as it was judged in the last 5 seconds, or now. While one call judges, others get
 * what was known before. `now`: epoch ms.
 */
export async function isReady(directory: Directory, now: number): Promise<boolean> {
  if (known !== undefined && (now - known.at < KEPT_MS || now - judgingSince < KEPT_MS)) return known.ready;
  judgingSince = now;
  const { faults } = await judge(directory);
  known = { ready: faults.length === 0, at: now };
  return known.ready;
}
