import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule } from "../support/libsql/faults.ts";
import type { Service } from "../support/service.ts";

const SHARE = 0.03;

/** A database that now and then loses a write, or the answer to one. */
export function losses(seed: number): FaultRule[] {
  return (["reset_before", "reset_after"] as const).map((kind, index) => ({
    kind,
    probability: SHARE,
    seed: seed + index,
    writes_only: true,
  }));
}

/** Shares of the calls and events of each account at a gateway. */
export const AT_GATEWAYS = {
  ...{ refused_call: 0.08, failed_call: 0.1, slow_call: 0.03, busy_call: 0.05, hanging_call: 0.004 },
  ...{ refund_pending: 0.2, refund_fails_late: 0.06, refund_refused: 0.05 },
  ...{ lost_answer: 0.1, duplicate: 0.2, late_event: 0.1, reordered: 0.1, together: 0.2 },
};

const PARTS = ["database server", "Worker"] as const;
type Part = (typeof PARTS)[number];
type Kills = { kills: number; every: number; done: () => number; parts?: readonly Part[] };

/** Kills these parts in turns, each once so many more calls are done. */
export async function killNowAndThen(service: Service, { kills, every, done, parts = PARTS }: Kills) {
  for (let kill = 0; kill < kills; kill += 1) {
    while (done() < every * (kill + 1)) await sleep(20);
    if (parts[kill % parts.length] === "Worker") await service.crash();
    else {
      await service.libsql.kill();
      await sleep(300);
      await service.libsql.restart();
    }
  }
}
