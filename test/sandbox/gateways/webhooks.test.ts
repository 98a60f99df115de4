import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Orders } from "../../../src/sandbox/gateways/orders.ts";
import { RefundKeys } from "../../../src/sandbox/gateways/refund-keys.ts";
import { Refunds } from "../../../src/sandbox/gateways/refunds.ts";
import {
  basic,
  call,
  eventsReceived,
  gateways,
  openAccount,
  pay,
  received,
  receiver,
  useGateways,
} from "./harness.ts";
import { KEY, ledger, newPayment, refund } from "./payments.ts";

useGateways();

const ORDER = { amount: 10_000, currency: "INR", receipt: "SO/26-27/00002" };

/** A merchant with faults, and an order of it. */
async function newOrder(rates: object = {}) {
  const merchant = openAccount("razorpay");
  const { id } = (await call("/razorpay/v1/orders", basic(merchant), ORDER)).body;
  gateways.faults.set(merchant.account, rates);
  return { merchant, id };
}

it("sends a webhook again until the answer is 2xx", async () => {
  const { id } = await newOrder();
  const answers = [500, 404];
  receiver.answer = () => answers.shift() ?? 204;
  const { body } = await pay("razorpay", id, "failed");
  expect(body.webhooks).toMatchObject([{ delivered: true, statuses: [500, 404, 204] }]);
  const [first, second] = received;
  expect(second?.headers["x-razorpay-event-id"]).toBe(first?.headers["x-razorpay-event-id"]);
  expect(second?.body).toBe(first?.body);
});

it("gives up after its last pause", async () => {
  const { id } = await newOrder();
  receiver.answer = () => 503;
  const { body } = await pay("razorpay", id, "failed");
  expect(body.webhooks).toMatchObject([{ delivered: false, statuses: [503, 503, 503] }]);
});

it("sends what was answered once more when the answer is lost", async () => {
  const { id } = await newOrder({ lost_answer: 1 });
  const { body } = await pay("razorpay", id, "failed");
  expect(body.webhooks).toMatchObject([{ delivered: false, statuses: [null, null, null] }]);
  expect(received).toHaveLength(3);
});

it("duplicates and reorders webhooks", async () => {
  const { id } = await newOrder({ duplicate: 1, reordered: 1 });
  await pay("razorpay", id, "paid");
  expect(eventsReceived()).toEqual(["payment.captured", "payment.captured", "order.paid", "order.paid"]);
});

it("sends the webhooks of one payment at once", async () => {
  const { id } = await newOrder({ together: 1 });
  const { promise, resolve } = Promise.withResolvers<number>();
  receiver.answer = () => {
    if (received.length === 2) resolve(200);
    return promise;
  };
  await pay("razorpay", id, "paid");
  expect(eventsReceived().sort()).toEqual(["order.paid", "payment.captured"]);
});

it("refuses, fails and hangs calls of its API", async () => {
  const { merchant } = await newOrder({ refused_call: 1 });
  const create = (receipt: string, signal?: AbortSignal) =>
    fetch(`${gateways.url}/razorpay/v1/orders`, {
      method: "POST",
      headers: { Authorization: basic(merchant) },
      body: JSON.stringify({ ...ORDER, receipt }),
      ...(signal && { signal }),
    });
  expect((await create("refused")).status).toBe(503);
  gateways.faults.set(merchant.account, { failed_call: 1 });
  expect((await create("failed")).status).toBe(500);
  gateways.faults.set(merchant.account, { hanging_call: 1 });
  const patience = new AbortController();
  const hanging = expect(create("hanging", patience.signal)).rejects.toThrow("aborted");
  const receipts = () => gateways.orders.newest(2).map(({ title }) => title);
  await expect.poll(receipts, { timeout: 10_000 }).toEqual(["hanging", "failed"]);
  patience.abort();
  await hanging;
});

it("takes accounts and faults over HTTP, from tests of another process", async () => {
  const merchant = { ...openAccount("razorpay"), account: "rzp_test_other", company: "other" };
  const put = (path: string, body: object) =>
    fetch(`${gateways.url}/pay/${path}`, { method: "PUT", body: JSON.stringify(body) });
  expect((await put("merchants", merchant)).status).toBe(200);
  expect((await call("/razorpay/v1/orders", basic(merchant), ORDER)).status).toBe(200);
  expect((await put("faults/rzp_test_other", { refused_call: 1 })).status).toBe(200);
  expect((await call("/razorpay/v1/orders", basic(merchant), ORDER)).status).toBe(503);
  expect((await put("faults/rzp_test_other", { earthquake: 1 })).status).toBe(422);
});

it("keeps its orders, its ledger of refunds and their keys in files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gateways-"));
  const file = (name: string) => join(folder, `${name}.json`);
  const paid = await newPayment("razorpay");
  await refund(paid, 100);
  const order = gateways.orders.find("razorpay", paid.order);
  new Orders(file("orders")).add(structuredClone(order) as NonNullable<typeof order>);
  expect(new Orders(file("orders")).find("razorpay", paid.order)).toEqual(order);
  const [made] = await ledger(paid);
  new Refunds(file("refunds")).add(made as NonNullable<typeof made>);
  expect(new Refunds(file("refunds")).of(paid.merchant.account)).toEqual([made]);
  const answer = { status: 200, answer: { id: made?.id } } as const;
  new RefundKeys(file("keys")).keep(paid.merchant, KEY, { request: "{}", ...answer });
  expect(new RefundKeys(file("keys")).find(paid.merchant, KEY)).toMatchObject(answer);
  await rm(folder, { recursive: true });
});

it("keeps an order that waits for its payer, however many were paid after it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gateways-"));
  const { id } = await newOrder();
  const order = gateways.orders.find("razorpay", id) as NonNullable<ReturnType<Orders["find"]>>;
  const file = join(folder, "orders.json");
  const orders = new Orders(file);
  orders.add(structuredClone(order));
  for (let n = 0; n < 501; n += 1) orders.add({ ...structuredClone(order), id: `paid${n}`, state: "paid" });
  const kept = new Orders(file);
  expect(kept.find("razorpay", id)).toEqual(order);
  expect(kept.find("razorpay", "paid0")).toBeUndefined();
  expect(kept.find("razorpay", "paid1")).toBeDefined();
  await rm(folder, { recursive: true });
});
