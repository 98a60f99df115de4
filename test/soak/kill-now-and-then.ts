import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../support/service.ts";

/** Kills the database server and the Worker in turns, each once a further share of the calls is done. */
export async function killNowAndThen(
  service: Service,
  { kills, calls, done }: { kills: number; calls: number; done: () => number },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    while (done() < (calls * kill) / (kills + 1)) await sleep(20);
    if (kill % 2 === 0) await service.crash();
    else {
      await service.libsql.kill();
      await sleep(300);
      await service.libsql.restart();
    }
  }
}
