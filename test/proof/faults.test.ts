import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { FaultRule } from "../support/libsql/faults.ts";
import { type Service, startService } from "../support/service.ts";
import { Load } from "./load.ts";
import { judge, Promises } from "./promises.ts";

// A few of each in `npm test`; by hand `npm run proof` has 1,000, and PROOF_SEED repeats the calls of an earlier run.
const QUICK = 3;
const FAULTS = Number(process.env.PROOF_FAULTS ?? QUICK);
const KILLS = Number(process.env.PROOF_KILLS ?? 1);
const SEED = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
const CLIENTS = FAULTS > QUICK ? 16 : 4;
const SHARE = 0.08;
// The judge waits for two minutes, and a slow fault holds the writers up for half of one.
const TIMEOUT = 180_000 + (FAULTS + KILLS) * 30_000;

type Kinds = Record<string, Omit<FaultRule, "seed">>;
const SOON: Kinds = {
  "a reset before the database": { kind: "reset_before" },
  "a reset after the commit": { kind: "reset_after" },
  "a 500 of the database": { kind: "status", status: 500 },
  "a 503 of the database": { kind: "status", status: 503 },
  "an answer that is cut off": { kind: "truncate" },
};
// Each holds a company's writers up as long as an attempt may last, so there are fewer: for `npm run soak` and by hand.
const SLOW = Math.max(3, FAULTS / 10);
const LATE: Kinds = {
  "an answer that never comes": { kind: "hang_after" },
  "a batch that arrives 6 s late": { kind: "late", delay_ms: 6_000 },
};
// A recipient that a killed Worker had leased waits for a minute.
const PARTS = FAULTS > QUICK ? ["database server", "Worker"] : ["database server"];
/** Kinds of faults between the Worker and a company's database, and how many of each. */
const KINDS = [
  ...Object.entries(SOON).map(([name, rule]) => ({ name, rule, count: FAULTS })),
  ...Object.entries(FAULTS > QUICK ? LATE : {}).map(([name, rule]) => ({ name, rule, count: SLOW })),
];

let service: Service;
const promises = new Promises();
beforeAll(async () => {
  service = await startService(inject("service").bundle, [], { onDisk: true });
}, 60_000);
afterAll(async () => {
  await service.stop();
  process.stdout.write(`\nSeed ${SEED}\n${promises.table()}\n`);
});

describe(`with seed ${SEED}`, () => {
  test.each(KINDS)(
    "$count times $name breaks no promise",
    async ({ rule, count }) => {
      const load = await Load.begin(service, SEED);
      await load.company.faults({ ...rule, probability: SHARE, seed: SEED });
      await load.run(CLIENTS, async () => (await load.company.faultsMet()) >= count);
      await load.company.faults();
      await judge(load, service, promises);
      promises.expectKept();
    },
    TIMEOUT,
  );

  test.each(PARTS)(
    `${KILLS} kills of the %s break no promise`,
    async (part) => {
      const load = await Load.begin(service, SEED + 1);
      let kills = 0;
      const ended = load.run(CLIENTS, async () => kills === KILLS);
      while (kills < KILLS) {
        const before = load.ended.size;
        await sleep(300 + ((SEED + kills * 37) % 700));
        await (part === "Worker" ? service.crash() : killDatabase());
        await expect.poll(() => load.ended.size, { timeout: 30_000 }).toBeGreaterThan(before + CLIENTS);
        kills += 1;
      }
      await ended;
      await judge(load, service, promises);
      promises.expectKept();
    },
    TIMEOUT,
  );

  test(
    "a provider that fails, hangs or is busy breaks no promise",
    async () => {
      const load = await Load.begin(service, SEED + 2, ["00000", "00004", "00005"]);
      await load.run(CLIENTS, async () => load.ended.size >= SLOW * 4);
      await judge(load, service, promises);
      promises.expectKept();
    },
    TIMEOUT,
  );
});

async function killDatabase(): Promise<void> {
  await service.libsql.kill();
  await service.libsql.restart();
}
