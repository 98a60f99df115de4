import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { capturesOf } from "../captures/captures.ts";
import { cutOff, deliver, openShop, storedUnder } from "../storefront/shop.ts";
import {
  endAtGateway,
  getRefund,
  giveBack,
  ledgerOf,
  newRefund,
  paidOrder,
  refundEvent,
  type Shop,
} from "./refunds.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A shop with a refund of which its gateway answered nothing; its webhooks get lost too. */
async function unanswered(faults: Record<string, number>): Promise<Shop & { id: string }> {
  const shop = await openShop();
  onTestFinished(() => expectSound(shop.company));
  const { captureId } = await paidOrder(shop);
  await gatewayFaults(shop.company, shop.connected, { lost_event: 1, ...faults });
  const sent = await newRefund(shop.company, { capture_id: captureId });
  expect(sent).toMatchObject({ status: "created", gateway_refund_id: null, settled_at: null });
  return { ...shop, id: sent.id };
}

async function statusIs({ company, id }: { id: string } & Shop, status: string): Promise<boolean> {
  return (await getRefund(company, id)).status === status;
}

describe("a refund whose outcome its gateway does not say", () => {
  test("is found by a look where it was made, and is not made twice", async () => {
    const shop = await unanswered({ busy_call: 1 });
    const { company, connected, id } = shop;
    expect(await ledgerOf(shop)).toHaveLength(1);
    await gatewayFaults(company, connected, {});
    await company.clock(2 * MINUTE);
    await company.sweep(() => statusIs(shop, "succeeded"));
    expect(await getRefund(company, id)).toMatchObject({ attempts: 2 });
    expect(await ledgerOf(shop)).toHaveLength(1);
  });

  test("is sent again with its key where a look finds nothing", async () => {
    const shop = await unanswered({ refused_call: 1 });
    const { company, connected, id } = shop;
    expect(await ledgerOf(shop)).toEqual([]);
    await gatewayFaults(company, connected, {});
    await company.clock(2 * MINUTE);
    await company.sweep(() => statusIs(shop, "succeeded"));
    const [row] = await company.rows("SELECT key FROM gateway_refunds WHERE id = ?", Number(id));
    expect((await ledgerOf(shop)).map(({ key }) => key)).toEqual([row?.key]);
  });

  test("is looked at after 1, 5, 15 and 60 minutes, then hourly, and is never sent after 20 hours", async () => {
    const shop = await unanswered({ refused_call: 1 });
    const { company, connected } = shop;
    const place = async () => {
      const [row] = await company.rows(
        "SELECT next_look_at, (next_look_at - created_at) / 60000 AS minutes FROM gateway_refunds",
      );
      return row;
    };
    expect((await place())?.minutes).toBe(1);
    for (const [set, next] of [
      [MINUTE + 5, 5],
      [5 * MINUTE + 5, 15],
      [15 * MINUTE + 5, 60],
      [60 * MINUTE + 5, 120],
    ] as const) {
      const before = await place();
      await company.clock(set);
      await vi.waitUntil(async () => (await place())?.next_look_at !== before?.next_look_at, {
        timeout: 15_000,
        interval: 100,
      });
      expect((await place())?.minutes).toBe(next);
    }
    // The last look asks once more, in vain, after it has put off the next.
    await sleep(1_500);
    await gatewayFaults(company, connected, {});
    await company.clock(21 * HOUR);
    await company.sweep(() => statusIs(shop, "failed"));
    expect(await getRefund(company, shop.id)).toMatchObject({ failure_code: "not_found_at_gateway" });
    expect(await ledgerOf(shop)).toEqual([]);
    expect((await capturesOf(company)).at(-1)).toBe("duplicate_payment 10000 advance 10000");
  }, 60_000);

  test("ends after 30 days without an answer", async () => {
    const shop = await unanswered({ refused_call: 1 });
    await shop.company.clock(30 * 24 * HOUR + MINUTE);
    await shop.company.sweep(() => statusIs(shop, "failed"));
    expect(await getRefund(shop.company, shop.id)).toMatchObject({ failure_code: "no_answer" });
  });
});

test("a refund that is on its way is looked at daily", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { captureId } = await paidOrder(shop);
  await gatewayFaults(company, connected, { lost_event: 1, refund_pending: 1 });
  const sent = await newRefund(company, { capture_id: captureId });
  expect(sent.status).toBe("pending");
  await endAtGateway(shop, sent.gateway_refund_id, "succeeded");
  expect((await getRefund(company, sent.id)).status).toBe("pending");
  await company.clock(25 * HOUR);
  await company.sweep(() => statusIs({ ...shop, id: sent.id }, "succeeded"));
  await expectSound(company);
});

test("a duplicate report whose first attempt was cut off is answered as one", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { paymentId } = await paidOrder(shop);
  await giveBack(shop, paymentId, { source: "console" });
  const [known] = await company.rows("SELECT gateway_refund_id AS id FROM gateway_refunds");
  const event = refundEvent({ ...known, amount: 10_000, payment_id: paymentId });
  await company.faults(...cutOff("gateway_refund_events"));
  const cut = deliver(company, connected, event, { id: "evt_cut" });
  await expect.poll(() => company.faultsMet(), { interval: 5 }).toBe(2);
  // Another isolate stores it first.
  const same = "gateway_refund_id, amount, currency, state, received_at, gateway_account_id, kind";
  await company.rows(
    `INSERT INTO gateway_refund_events (event_id, payload_sha256, gateway, type, refund_id, ${same})
      SELECT ?, ?, gateway, type, refund_id, ${same} FROM gateway_refund_events ORDER BY id DESC LIMIT 1`,
    ...storedUnder("evt_cut", event),
  );
  expect(await cut).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(await company.faultsMet()).toBe(2);
  await expectSound(company);
});
