import { counted } from "#shared/text/counted.ts";
import { numberHere, type Rollout } from "../rollout.ts";
import { askPlatform, type Target } from "./ask.ts";
import { type Report, Wrong } from "./report.ts";

const MOST_NAMED = 5;
const CURE = "remove the cause, then run `company-ops rollout open` (docs/upgrade.md)";

/**
 * Whether the release that serves may upgrade companies, and which of them failed; the same of the one in this folder,
 * where that is a later one.
 */
export async function checkRollout(report: Report, target: Target): Promise<void> {
  const rolloutAt = (query: string, signal: AbortSignal) =>
    askPlatform<Rollout>(target, "GET", `/platform/rollout${query}`, { signal });
  let serving: number | undefined;
  await report.check("rollout", async (signal) => {
    const rollout = await rolloutAt("", signal);
    serving = rollout.schema_number;
    return saidOf(rollout);
  });
  const here = numberHere();
  if (serving === undefined || here <= serving) return;
  await report.check("next rollout", async (signal) =>
    saidOf(await rolloutAt(`?schema_number=${here}`, signal)),
  );
}

function saidOf({ schema_number: number, state, set_at: setAt, canaries, behind, failed }: Rollout): string {
  const left = behind === 0 ? "" : `; ${counted(behind, "company has", "companies have")} an older schema`;
  const since = setAt === null ? "" : ` since ${setAt}`;
  if (state === "stopped")
    throw new Wrong(
      `schema ${number}: stopped${since}${failed.length === 0 ? " by its operator" : ` by ${named(failed)}`}${left}${behind === 0 ? "" : ", whose calls are 503"}`,
      CURE,
    );
  if (failed.length > 0) throw new Wrong(`schema ${number}: ${state}, but ${named(failed)} failed`, CURE);
  const canary = state === "canary" ? `canary ${canaries.join(", ")}${since}` : "open";
  return `schema ${number}: ${canary}${left}`;
}

function named(failed: Rollout["failed"]): string {
  const some = failed.slice(0, MOST_NAMED).map(({ company, error }) => `${company} (${error})`);
  return `${some.join(", ")}${failed.length > MOST_NAMED ? ", ..." : ""}`;
}
