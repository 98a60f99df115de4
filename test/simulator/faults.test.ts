import { afterAll, describe, expect, test } from "vitest";
import type { FaultRule } from "../support/libsql/faults.ts";
import { ownService } from "../support/own-service.ts";
import { SEED } from "./draw.ts";
import { killNowAndThen } from "./faults.ts";
import { judge, Promises } from "./judge.ts";
import { TRADE, Trade } from "./trade.ts";

// A few of each in CI; by hand `npm run proof` has 1,000, and MODEL_SEED repeats the calls of an earlier run.
const FAULTS = Number(process.env.PROOF_FAULTS ?? 3);
const KILLS = Number(process.env.PROOF_KILLS ?? 1);
const CLIENTS = FAULTS > 10 ? 16 : 4;
const SHARE = 0.08;
// Each holds a company's writers up as long as an attempt may last.
const LATE = Math.ceil(FAULTS / 10);
/** Kinds of faults between the Worker and a company's database, and how many of each. */
const KINDS: { name: string; rule: Omit<FaultRule, "seed">; count: number }[] = [
  { name: "a reset before the database", rule: { kind: "reset_before" }, count: FAULTS },
  { name: "a reset after the commit", rule: { kind: "reset_after" }, count: FAULTS },
  { name: "a 500 of the database", rule: { kind: "status", status: 500 }, count: FAULTS },
  { name: "a 503 of the database", rule: { kind: "status", status: 503 }, count: FAULTS },
  { name: "an answer that is cut off", rule: { kind: "truncate" }, count: FAULTS },
  { name: "an answer that never comes", rule: { kind: "hang_after" }, count: LATE },
  { name: "a batch that arrives 6 s late", rule: { kind: "late", delay_ms: 6_000 }, count: LATE },
];
// The judge waits for two minutes, and a slow fault holds the writers up for half of one.
const TIMEOUT = 180_000 + (FAULTS + KILLS) * 30_000;

const service = await ownService([], { onDisk: true });
const promises = new Promises();
afterAll(() => {
  process.stdout.write(`\nSeed ${SEED}\n${promises.table()}\n`);
});

describe(`with seed ${SEED}`, { timeout: TIMEOUT }, () => {
  test.each(KINDS)("$count times $name breaks no promise", async ({ rule, count }) => {
    const trade = await Trade.begin(service, SEED);
    await trade.company.faults({ ...rule, probability: SHARE, seed: SEED });
    await trade.inLanes(TRADE, CLIENTS, async () => (await trade.company.faultsMet()) >= count);
    await trade.company.faults();
    await judge(trade, service, promises);
  });

  test.each(["database server", "Worker"] as const)(
    `${KILLS} kills of the %s break no promise`,
    async (part) => {
      const trade = await Trade.begin(service, SEED + 1);
      const done = () => trade.ended.length;
      const kills = { kills: KILLS, every: 5 * CLIENTS, done, parts: [part] };
      await trade.inLanesWhile(TRADE, CLIENTS, killNowAndThen(service, kills));
      const before = done();
      await trade.inLanes(TRADE, CLIENTS, () => done() > before + CLIENTS);
      await judge(trade, service, promises);
    },
  );

  test("a provider that fails, hangs or is busy breaks no promise", async () => {
    const trade = await Trade.begin(service, SEED + 2, ["00000", "00004", "00005"]);
    const sms = () => trade.ids("messages").length;
    await trade.inLanes(TRADE, CLIENTS, () => sms() >= Math.max(3, FAULTS / 10));
    expect(sms()).toBeGreaterThan(0);
    await judge(trade, service, promises);
  });
});
