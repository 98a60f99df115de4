import { expect, test } from "vitest";
import { rowsOf } from "../features/commerce.ts";
import { must } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, startService } from "../support/service.ts";
import { GatewayWorld } from "./gateway-world.ts";
import { killNowAndThen } from "./kill-now-and-then.ts";

// More by hand: GATEWAY_CALLS=2000 GATEWAY_KILLS=20
const CALLS = Number(process.env.GATEWAY_CALLS ?? 150);
const KILLS = Number(process.env.GATEWAY_KILLS ?? 2);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const LANES = 6;

type Balances = {
  accounts: { name: string; balance: number }[];
  total_debit: number;
  total_credit: number;
};
const paise = (amount = 0) => Math.round(amount * 100);

test(`${CALLS} calls around a gateway and ${KILLS} kills: each rupee has its row and its place (seed ${SEED})`, {
  timeout: 120_000 + CALLS * 1_000 + KILLS * 30_000,
}, async () => {
  const service = await startService(undefined, [], { onDisk: true });
  try {
    const world = await GatewayWorld.open(addressOf(service), SEED);
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
    await world.desk.sendAgain();
    await expectEachRupee(world);
    process.stdout.write(`\nSeed ${SEED}: ${JSON.stringify(Object.fromEntries(world.counts))}\n`);
  } finally {
    await service.stop();
  }
});

/** The gateway's own ledger, the captures, the documents and the trial balance agree to the paisa. */
async function expectEachRupee(world: GatewayWorld): Promise<void> {
  const { company } = world;
  const ledger = await world.desk.ledger();
  const captures = await rowsOf(company, "SELECT gateway_payment_id AS id, amount FROM gateway_captures");
  expect(new Map(captures.map(({ id, amount }) => [id, amount]))).toEqual(ledger);
  const taken = [...ledger.values()].reduce((sum, amount) => sum + amount, 0);
  const sumOf = async (select: string) =>
    Number((await rowsOf(company, `SELECT coalesce(sum(amount), 0) AS n FROM ${select}`))[0]?.n);
  const advances = await sumOf("(SELECT advance_amount AS amount FROM gateway_captures)");
  const settled = await sumOf("advances WHERE kind = 'settled'");
  const invoiced =
    (await sumOf("payments WHERE gateway IS NOT NULL AND deleted_at IS NULL")) +
    (await sumOf("lesson_receipts WHERE gateway IS NOT NULL AND ended_by IS NULL"));
  expect({ taken, advances, invoiced, settled }).toMatchObject({ taken: advances + invoiced + settled });

  const path = "/ledger/:company/trial-balance?debtors=together";
  const shown = must(await company.call<Balances>("GET", path), 200).body.data;
  const balanceOf = (name: string) => paise(shown.accounts.find((account) => account.name === name)?.balance);
  expect(shown.total_debit).toBe(shown.total_credit);
  expect(balanceOf("Customer Advances") + advances).toBe(0);
  expect(balanceOf("Razorpay Clearing")).toBe(taken - settled);
  expect(balanceOf("Sundry Debtors")).toBe(
    await sumOf("(SELECT amount_due AS amount FROM invoices WHERE status <> 'voided')"),
  );
  expect(must(await company.call<object[]>("GET", "/ledger/:company/unposted"), 200).body.data).toEqual([]);
  await expectSound(company);
  process.stdout.write(
    `\nTook ${taken}: advances ${advances}, invoiced ${invoiced}, settled ${settled}, in ${ledger.size} payments\n`,
  );
}
