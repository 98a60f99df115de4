import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { REGISTERED, rowsOf } from "../features/commerce.ts";
import { ledgerOf, paidOrder } from "../features/refunds/refunds.ts";
import { openCompany } from "../support/company.ts";
import { connectGateway, gatewayFaults } from "../support/gateways.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, startService } from "../support/service.ts";

const RUNS = Number(process.env.REFUND_RUNS ?? 40);
const OF_ONE_CAPTURE = 10;
const LANES = 8;
const PAUSE_MS = 200;
const FAULTS = {
  ...{ refused_call: 0.15, failed_call: 0.1, busy_call: 0.2, seed: 35 },
  ...{ duplicate: 0.3, lost_event: 0.2, lost_answer: 0.2, late_event: 0.2, reordered: 0.3 },
};
const HOUR = 3_600;

test(`${RUNS} refunds while calls and events fail and the database is killed: each is made once, and ends`, {
  timeout: 120_000 + RUNS * 1_000,
}, async () => {
  const service = await startService(undefined, [], { onDisk: true });
  try {
    const company = await openCompany(REGISTERED, addressOf(service));
    await company.raiseLimit();
    const connected = await connectGateway(company, "razorpay");
    const shop = { company, connected };
    const captures: string[] = [];
    while (captures.length < RUNS / OF_ONE_CAPTURE) captures.push((await paidOrder(shop)).captureId);
    await gatewayFaults(company, connected, FAULTS);

    const waiting = Array.from({ length: RUNS }, (_, run) => run);
    const refund = async (run: number) => {
      const capture_id = captures[Math.floor(run / OF_ONE_CAPTURE)];
      const call = {
        body: { capture_id, amount: 100 / OF_ONE_CAPTURE, reason: "duplicate_payment" },
        headers: { "Idempotency-Key": `refund-${run}` },
      };
      for (;;) {
        const answer = await company.call("POST", "/refunds/:company", call).catch(() => undefined);
        if (answer?.status === 201) return;
        if (answer !== undefined) expect(answer.status, answer.text).toBeGreaterThanOrEqual(409);
        await sleep(PAUSE_MS);
      }
    };
    const lanes = Array.from({ length: LANES }, async () => {
      for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) await refund(run);
    });
    await sleep(500 + Math.random() * 500);
    await service.libsql.kill();
    await sleep(Math.random() * 500);
    await service.libsql.restart();
    await Promise.all(lanes);

    await gatewayFaults(company, connected, {});
    const open = async () =>
      (await rowsOf(company, "SELECT id FROM gateway_refunds WHERE status IN ('created', 'pending')")).length;
    for (const clock of [0.1, 0.2, 0.4, 1.2, 2.4, 3.6]) {
      if ((await open()) === 0) break;
      await company.clock(clock * HOUR);
      await company.sweep(async () => (await open()) === 0).catch(() => undefined);
    }

    const rows = await rowsOf(company, "SELECT key, status, source FROM gateway_refunds");
    const made = await ledgerOf(shop);
    expect(rows.filter(({ status, source }) => status !== "succeeded" || source !== "api")).toEqual([]);
    expect(made.map(({ key }) => key).sort()).toEqual(rows.map(({ key }) => key).sort());
    expect(rows).toHaveLength(RUNS);
    expect(
      await rowsOf(
        company,
        "SELECT sum(advance_amount) AS waits FROM gateway_captures WHERE outcome <> 'paid'",
      ),
    ).toEqual([{ waits: 0 }]);
    await expectSound(company);
  } finally {
    await service.stop();
  }
});
