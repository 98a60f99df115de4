import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../../support/company.ts";
import { type Connected, connectGateway, gatewayFaults, play } from "../../../support/gateways.ts";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import { addressOf, type Service, startService } from "../../../support/service.ts";
import { REGISTERED, rowsOf } from "../../commerce.ts";
import { getOrder, placeOrder, postCheckout } from "../shop.ts";

const PATIENT = { timeout: 30_000, interval: 20 };

let service: Service;
let company: TestCompany;
let connected: Connected;

beforeAll(async () => {
  service = await startService(undefined, [], { onDisk: true });
}, 60_000);
afterAll(() => service.stop());

async function openShopHere(): Promise<void> {
  company = await openCompany(REGISTERED, addressOf(service));
  connected = await connectGateway(company, "razorpay");
}

/** A checkout whose answer never comes. */
const lostCheckout = () => postCheckout(company).catch(() => undefined);

test("a Worker killed between gateway and commit leaves nothing but a payment that cannot be made", {
  timeout: 90_000,
}, async () => {
  await openShopHere();
  const stored = await rowCounts(company);
  await gatewayFaults(company, connected, { slow_call: 1 });
  const before = await company.requests();
  const lost = lostCheckout();
  await expect.poll(() => company.requests(), PATIENT).toBeGreaterThan(before);
  await service.crash();
  expect((await lost)?.status).not.toBe(200);
  expect(await rowCounts(company)).toEqual(stored);
  await gatewayFaults(company, connected, {});
  expect((await placeOrder(company)).order_number).toMatch(/\/00001$/);
  await expectSound(company);
});

test("a Worker killed after the commit leaves an order whose payment the gateway's event finds", {
  timeout: 90_000,
}, async () => {
  await openShopHere();
  await company.faults({ kind: "hang_after", writes_only: true });
  const lost = lostCheckout();
  const intents = () => rowsOf(company, "SELECT gateway_order_id AS id FROM payment_intents");
  await expect.poll(intents, PATIENT).toHaveLength(1);
  await service.crash();
  await company.faults();
  expect((await lost)?.status).not.toBe(200);
  const [intent] = await intents();
  expect(await rowCounts(company)).toMatchObject({ sales_orders: 1, payment_intents: 1 });
  await play(company, "razorpay", String(intent?.id), "paid");
  expect(await getOrder(company, 1)).toMatchObject({ status: "invoiced", payment_status: "paid" });
  await expectSound(company);
});
