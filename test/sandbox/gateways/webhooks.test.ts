import { expect, it } from "vitest";
import { useFolder } from "#test/folder.ts";
import { Orders } from "../../../src/sandbox/gateways/orders.ts";
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
import { newOrder, setFaults } from "./payments.ts";

useGateways();
const path = useFolder();

const ORDER = { amount: 10_000, currency: "INR", receipt: "SO/26-27/00002" };

/** An order of a merchant with faults. */
async function newFaulty(rates: object = {}) {
  const ordered = await newOrder("razorpay");
  setFaults(ordered, rates);
  return ordered;
}

it.each([
  ["until the answer is 2xx", {}, [500, 404, 204], true],
  ["until its last pause", {}, [503, 503, 503], false],
  ["when the answer is lost", { lost_answer: 1 }, [null, null, null], false],
])("sends a webhook again %s", async (_, faults, statuses, delivered) => {
  const { order } = await newFaulty(faults);
  receiver.answer = () => statuses[received.length - 1] ?? 204;
  const { body } = await pay("razorpay", order, "failed");
  expect(body.webhooks).toMatchObject([{ delivered, statuses }]);
  expect(received).toHaveLength(3);
  const event = "x-razorpay-event-id";
  expect(new Set(received.map(({ headers, body }) => headers[event] + body)).size).toBe(1);
});

it("duplicates and reorders webhooks", async () => {
  const { order } = await newFaulty({ duplicate: 1, reordered: 1 });
  await pay("razorpay", order, "paid");
  expect(eventsReceived()).toEqual(["payment.captured", "payment.captured", "order.paid", "order.paid"]);
});

it("sends the webhooks of one payment at once", async () => {
  const { order } = await newFaulty({ together: 1 });
  const { promise, resolve } = Promise.withResolvers<number>();
  receiver.answer = () => {
    if (received.length === 2) resolve(200);
    return promise;
  };
  await pay("razorpay", order, "paid");
  expect(eventsReceived().sort()).toEqual(["order.paid", "payment.captured"]);
});

it("refuses, fails and hangs calls of its API", async () => {
  const { merchant, authorization } = await newFaulty({ refused_call: 1 });
  const create = (receipt: string, signal?: AbortSignal) =>
    fetch(`${gateways.url}/razorpay/v1/orders`, {
      method: "POST",
      headers: { Authorization: authorization },
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

it("keeps an order that waits for its payer, however many were paid after it", async () => {
  const { order: id } = await newFaulty();
  const order = gateways.orders.find("razorpay", id) as NonNullable<ReturnType<Orders["find"]>>;
  const file = path("waiting.json");
  const orders = new Orders(file);
  orders.add(structuredClone(order));
  for (let n = 0; n < 501; n += 1) orders.add({ ...structuredClone(order), id: `paid${n}`, state: "paid" });
  const kept = new Orders(file);
  expect(kept.find("razorpay", id)).toEqual(order);
  expect(kept.find("razorpay", "paid0")).toBeUndefined();
  expect(kept.find("razorpay", "paid1")).toBeDefined();
});
