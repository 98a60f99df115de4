import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import type { Directory } from "#tenancy/directory.ts";
import { completeRegistry } from "#tenancy/migrations/complete-registry.ts";
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
  const faults = await faultsOf(directory, now);
  known = { ready: faults.length === 0, at: now };
  return known.ready;
}

/** A registry of the release before is migrated first, as by a call: no call comes to an instance that is not ready. */
async function faultsOf(directory: Directory, now: number): Promise<readonly string[]> {
  const { faults } = await judge(directory);
  if (!faults.includes("control_database_not_migrated")) return faults;
  try {
    await completeRegistry(new Database(directory.control), now);
  } catch (error) {
    logFault("readiness", error);
    return faults;
  }
  return (await judge(directory)).faults;
}
