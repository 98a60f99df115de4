import { askForUpgrade, type Clocks } from "#core/clock.ts";
import type { BecomesReady } from "#core/database/database.ts";
import type { Upgrade } from "#durable";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { type CompanyRecord, forgetCompany } from "../directory.ts";
import { schemaNumber } from "./schema-number.ts";
import type { Means } from "./upgrade.ts";

/** How long a call waits for its company's upgrade, out of the time that its request to the database has. */
const MOST_MS = 5_000;
const SOON_MS = 2_000;
const RETRY_MS: Record<Exclude<Upgrade["end"], "done">, number> = {
  unavailable: SOON_MS,
  held: MINUTE_MS,
  failed: MINUTE_MS,
};

export type Upgrader = Means & { clocks: Clocks };

/**
 * What a company's database waits for before its first batch: its upgrade by the company's clock object. Undefined where
 * its schema is that of this release or a later one, so that nothing is asked. Throws 503 `upgrading` where the company is
 * not upgraded in time. `now`: epoch ms.
 */
export function upgradeBefore(
  upgrader: () => Upgrader,
  { slug, schemaNumber: known }: CompanyRecord,
  now: number,
): BecomesReady | undefined {
  if (known >= schemaNumber()) return undefined;
  let upgraded: Promise<void> | undefined;
  return () => {
    upgraded ??= waitForUpgrade(upgrader(), slug, now);
    return upgraded;
  };
}

/** Has the clock object bring the company's database up to date. `isOperator`: also soon after that has failed. */
export async function upgradeByClock(
  { clocks, ...means }: Upgrader,
  slug: string,
  now: number,
  isOperator = false,
): Promise<Upgrade> {
  const upgrade = await askForUpgrade(clocks, slug, isOperator);
  if (upgrade.end !== "done" || upgrade.schemaNumber >= schemaNumber()) return upgrade;
  // While a release is deployed step by step, the object may be of the release before.
  const here = await import("./upgrade.ts");
  return here.upgrade(means, slug, now);
}

async function waitForUpgrade(upgrader: Upgrader, slug: string, now: number): Promise<void> {
  const late = new AbortController();
  const { end } = await Promise.race([
    upgradeByClock(upgrader, slug, now),
    scheduler.wait(MOST_MS, { signal: late.signal }).then(() => ({ end: "unavailable" as const })),
  ]).finally(() => late.abort());
  if (end !== "done") throw retryLater("upgrading", RETRY_MS[end]);
  forgetCompany(slug);
}
