import { expect, test } from "vitest";
import { rowsOf } from "../features/commerce.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, startService } from "../support/service.ts";
import { killNowAndThen } from "./kill-now-and-then.ts";
import { RefundWorld } from "./refund-world.ts";

// More by hand: REFUND_CALLS=800 REFUND_KILLS=20
const CALLS = Number(process.env.REFUND_CALLS ?? 60);
const KILLS = Number(process.env.REFUND_KILLS ?? 2);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const LANES = 6;
const HOUR = 3_600;
/** Shares of the calls and events of each account. */
const FAULTS = {
  ...{ refused_call: 0.08, failed_call: 0.1, slow_call: 0.03, busy_call: 0.05, hanging_call: 0.004 },
  ...{ refund_pending: 0.2, refund_fails_late: 0.06, refund_refused: 0.05 },
  ...{ lost_answer: 0.1, duplicate: 0.2, late_event: 0.1, reordered: 0.1, together: 0.2 },
};

test(`${CALLS} calls around refunds and ${KILLS} kills: what went back is what is recorded (seed ${SEED})`, {
  timeout: 180_000 + CALLS * 2_000 + KILLS * 30_000,
}, async () => {
  const service = await startService(undefined, [], { onDisk: true });
  try {
    const world = await RefundWorld.open(addressOf(service), SEED);
    await world.sell(Math.ceil(CALLS / 6));
    await world.setFaults({ ...FAULTS, seed: SEED });
    let left = CALLS;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        await world.act();
      }
    };
    await Promise.all([
      ...Array.from({ length: LANES }, lane),
      killNowAndThen(service, { kills: KILLS, calls: CALLS, done: () => CALLS - left }),
    ]);
    await world.setFaults({});
    await world.endAll();
    await endAll(world);
    await expectEachAmount(world);
    process.stdout.write(`\nSeed ${SEED}: ${JSON.stringify(Object.fromEntries(world.counts))}\n`);
  } finally {
    await service.stop();
  }
});

/** Sets the clock on, hour by hour and then by days, until no refund is open: each look is made by the clock's own job. */
async function endAll({ company }: RefundWorld): Promise<void> {
  const open = async () =>
    Number(
      (
        await rowsOf(
          company,
          "SELECT count(*) AS n FROM gateway_refunds WHERE status IN ('created', 'pending')",
        )
      )[0]?.n,
    );
  for (const hours of [2, 4, 30, 60, 90]) {
    if ((await open()) === 0) return;
    await company.clock(hours * HOUR);
    const isDue = `SELECT count(*) AS n FROM gateway_refunds WHERE status IN ('created', 'pending') AND next_look_at <= ?`;
    await company.sweep(async () => {
      const now = Date.now() + hours * HOUR * 1_000;
      return Number((await rowsOf(company, isDue, [now]))[0]?.n) === 0;
    });
  }
  expect(await open()).toBe(0);
}

/** The ledgers of the gateways and the refunds here agree, one to one. */
async function expectEachAmount(world: RefundWorld): Promise<void> {
  const { company } = world;
  const ledger = await world.ledger();
  const state = ({ state: there }: (typeof ledger)[number]) => (there === "reversed" ? "failed" : there);
  const back = ledger.map((one) => [one.id, `${one.amount} ${state(one)}`] as const);
  const rows = await rowsOf(
    company,
    "SELECT gateway_refund_id AS id, amount, status FROM gateway_refunds WHERE gateway_refund_id IS NOT NULL",
  );
  const recorded = rows.map(({ id, amount, status }) => [String(id), `${amount} ${status}`] as const);
  expect(new Map(recorded)).toEqual(new Map(back));
  // What was never at a gateway has failed, and no key was used for two.
  const without = "SELECT DISTINCT status FROM gateway_refunds WHERE gateway_refund_id IS NULL";
  expect([[], [{ status: "failed" }]]).toContainEqual(await rowsOf(company, without));
  const keys = ledger.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  const over = `SELECT capture.id FROM gateway_captures capture JOIN gateway_refunds refund ON capture_id = capture.id
    WHERE source = 'api' AND refund.status <> 'failed' GROUP BY capture.id HAVING sum(refund.amount) > capture.amount`;
  expect(await rowsOf(company, over)).toEqual([]);
  await expectSound(company);
  const sum = (of: string) =>
    ledger
      .filter((one) => one.source === of && one.state === "succeeded")
      .reduce((all, one) => all + one.amount, 0);
  process.stdout.write(
    `\nWent back: ${sum("api")} by the API, ${sum("console")} by hand, ${sum("chargeback")} by banks, in ${ledger.length} refunds\n`,
  );
}
