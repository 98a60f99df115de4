import { expect, test } from "vitest";
import { expectSound } from "../support/oracles.ts";
import { ownService } from "../support/own-service.ts";
import { addressOf } from "../support/service.ts";
import { SEED } from "./draw.ts";
import { AT_GATEWAYS, killNowAndThen } from "./faults.ts";
import { expectOnce } from "./judge.ts";
import { endAll, REFUND_MOVES } from "./refund-moves.ts";
import { KINDS, Shop } from "./shop.ts";
import { PAYMENTS } from "./shop-moves.ts";
import type { Moves } from "./world.ts";

// More by hand: GATEWAY_CALLS=2000 GATEWAY_KILLS=20 REFUND_CALLS=800
const CALLS = Number(process.env.GATEWAY_CALLS ?? 150);
const REFUNDS = Number(process.env.REFUND_CALLS ?? 60);
const KILLS = Number(process.env.GATEWAY_KILLS ?? 2);
const LANES = 6;
const HOUR = 3_600;
const OPEN = "SELECT count(*) AS n FROM gateway_refunds WHERE status IN ('created', 'pending')";

type Balances = { accounts: { name: string; balance: number }[]; total_debit: number; total_credit: number };

const service = await ownService([], { onDisk: true });

test(`${CALLS} calls around a gateway and ${KILLS} kills: each rupee has its row and its place (seed ${SEED})`, {
  timeout: 120_000 + CALLS * 1_000 + KILLS * 30_000,
}, async () => {
  const shop = await Shop.open(addressOf(service), SEED, ["razorpay"]);
  await actWhileKilled(shop, PAYMENTS, CALLS);
  await shop.sendAgain();
  await expectEachRupee(shop);
});

test(`${REFUNDS} calls around refunds and ${KILLS} kills: what went back is what is recorded (seed ${SEED})`, {
  timeout: 180_000 + REFUNDS * 2_000 + KILLS * 30_000,
}, async () => {
  const shop = await Shop.open(addressOf(service), SEED, KINDS);
  await shop.sellTwice(Math.ceil(REFUNDS / 6));
  await shop.setFaults({ ...AT_GATEWAYS, seed: SEED });
  await actWhileKilled(shop, REFUND_MOVES, REFUNDS);
  await shop.setFaults({});
  await endAll(shop);
  await lookUntilEnded(shop);
  await expectEachRefund(shop);
});

async function actWhileKilled(shop: Shop, moves: Moves<Shop>, calls: number): Promise<void> {
  const every = calls / (KILLS + 1);
  await Promise.all([
    shop.inLanes(moves, LANES, () => shop.moved >= calls),
    killNowAndThen(service, { kills: KILLS, every, done: () => shop.moved }),
  ]);
  expect(shop.strange).toEqual([]);
  await expectOnce(shop);
}

/** The gateway's own ledger, the captures, the documents and the trial balance agree to the paisa. */
async function expectEachRupee(shop: Shop): Promise<void> {
  const ledger = await shop.taken();
  const captures = await shop.rows("SELECT gateway_payment_id AS id, amount FROM gateway_captures");
  expect(new Map(captures.map(({ id, amount }) => [id, amount]))).toEqual(ledger);
  const ignored = await shop.rows(
    "SELECT gateway_payment_id AS id, amount FROM gateway_events WHERE outcome = 'ignored' AND amount IS NOT NULL",
  );
  expect(new Map(ignored.map(({ id, amount }) => [id, amount]))).toEqual(shop.strays);
  const taken = [...ledger.values()].reduce((sum, amount) => sum + amount, 0);
  const advances = await shop.sum("(SELECT advance_amount AS amount FROM gateway_captures)");
  const settled = await shop.sum("advances WHERE kind = 'settled'");
  const invoiced =
    (await shop.sum("payments WHERE gateway IS NOT NULL AND deleted_at IS NULL")) +
    (await shop.sum("lesson_receipts WHERE gateway IS NOT NULL AND ended_by IS NULL"));
  expect(taken).toBe(advances + invoiced + settled);

  const path = "/ledger/:company/trial-balance?debtors=together";
  const shown = await shop.company.read<Balances>(path);
  const balanceOf = (name: string) =>
    Math.round(100 * (shown.accounts.find((account) => account.name === name)?.balance ?? 0));
  expect(shown.total_debit).toBe(shown.total_credit);
  expect(balanceOf("Customer Advances") + advances).toBe(0);
  expect(balanceOf("Razorpay Clearing")).toBe(taken - settled);
  const due = "(SELECT amount_due AS amount FROM invoices WHERE status <> 'voided')";
  expect(balanceOf("Sundry Debtors")).toBe(await shop.sum(due));
  expect(await shop.company.read("/ledger/:company/unposted")).toEqual([]);
  await expectSound(shop.company);
}

/** Sets the clock on, hour by hour and then by days, until no refund is open: each look is made by the clock's own job. */
async function lookUntilEnded(shop: Shop): Promise<void> {
  const count = async (select: string) => Number((await shop.rows(select))[0]?.n);
  for (const hours of [2, 4, 30, 60, 90]) {
    if ((await count(OPEN)) === 0) return;
    await shop.company.clock(hours * HOUR);
    const due = () => `${OPEN} AND next_look_at <= ${Date.now() + hours * HOUR * 1_000}`;
    await shop.company.sweep(async () => (await count(due())) === 0);
  }
  expect(await count(OPEN)).toBe(0);
}

/** The ledgers of the gateways and the refunds here agree, one to one. */
async function expectEachRefund(shop: Shop): Promise<void> {
  const ledger = await shop.back();
  const back = ledger.map(
    ({ id, amount, state }) => [id, `${amount} ${state === "reversed" ? "failed" : state}`] as const,
  );
  const refunds = "SELECT gateway_refund_id AS id, amount, status FROM gateway_refunds";
  const rows = await shop.rows(`${refunds} WHERE gateway_refund_id IS NOT NULL`);
  const recorded = rows.map(({ id, amount, status }) => [String(id), `${amount} ${status}`] as const);
  expect(new Map(recorded)).toEqual(new Map(back));
  // What was never at a gateway has failed, and no key was used for two.
  expect(await shop.rows(`${refunds} WHERE gateway_refund_id IS NULL AND status <> 'failed'`)).toEqual([]);
  const keys = ledger.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  const over = `SELECT capture.id FROM gateway_captures capture JOIN gateway_refunds refund ON capture_id = capture.id
    WHERE source = 'api' AND refund.status <> 'failed' GROUP BY capture.id HAVING sum(refund.amount) > capture.amount`;
  expect(await shop.rows(over)).toEqual([]);
  await expectSound(shop.company);
}
