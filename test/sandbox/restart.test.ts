import { readFileSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { serveOwn } from "#test/own-server.ts";
import { startGateways } from "#test/start-gateways.ts";
import { demoMerchant, type Merchant } from "../../src/sandbox/gateways/merchants.ts";
import { type MessagesOptions, messageProviders } from "../../src/sandbox/message-providers/routes.ts";

const path = useFolder();

const json = { "Content-Type": "application/json" };

/** What calls the stand-ins as a merchant does. */
const callsOf = (merchant: Merchant) => {
  const Authorization = `Basic ${btoa(`${merchant.account}:${merchant.secret}`)}`;
  return async (url: string, body?: object, headers = {}, method = body === undefined ? "GET" : "POST") => {
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(url, { method, headers: { Authorization, ...json, ...headers }, body: sent });
    return { status: answer.status, body: Object(await answer.json()) };
  };
};
const ORDER = { amount: 50_000, currency: "INR" };

test("an account that was opened at a gateway, and its open payment, are there after a restart", async () => {
  const options = { workerOrigin: "http://127.0.0.1:1", file: path("gateways.json"), merchants: [] };
  const merchant = demoMerchant("razorpay", { slug: "meera", name: "Meera Traders" });
  const call = callsOf(merchant);
  const first = await startGateways(options);
  expect((await call(`${first.url}/razorpay/v1/orders`, ORDER)).status).toBe(401);
  expect((await call(`${first.url}/pay/merchants`, merchant, {}, "PUT")).status).toBe(200);
  const { id } = (await call(`${first.url}/razorpay/v1/orders`, ORDER)).body;
  await first.stop();

  const second = await startGateways(options);
  expect((await call(`${second.url}/razorpay/v1/orders`, ORDER)).status).toBe(200);
  const asked = await call(`${second.url}/razorpay/v1/orders/${id}`);
  expect(asked.body).toMatchObject({ id, status: "created", amount_due: 50_000 });
  expect((await fetch(`${second.url}/pay/razorpay/${id}`)).status).toBe(200);
  await second.stop();
});

test("events that were not accepted are sent again after a restart, as long as their gateway does so, a late failure comes, and a refund's key is known", async () => {
  const came: { event: string; id: string }[] = [];
  const names = () => came.map(({ event }) => event);
  let status = 503;
  const worker = await serveOwn(async (request, response) => {
    const { event } = JSON.parse((await buffer(request)).toString());
    if (status === 200) came.push({ event, id: String(request.headers["x-razorpay-event-id"]) });
    response.writeHead(status).end("{}");
  });
  const merchant = demoMerchant("razorpay", { slug: "asha", name: "Asha Traders" });
  const call = callsOf(merchant);
  const options = {
    ...{ workerOrigin: worker.url, file: path("lost.json") },
    ...{ merchants: [merchant], retryDelays: [20], lateMs: 300 },
  };

  const first = await startGateways(options);
  const { id } = (await call(`${first.url}/razorpay/v1/orders`, ORDER)).body;
  const paid = (await call(`${first.url}/pay/razorpay/${id}`, { outcome: "paid" })).body;
  const [payment] = paid.payment_ids;
  const giveAtConsole = (url: string) =>
    call(`${url}/pay/accounts/${merchant.account}/payments/${payment}`, {
      source: "console",
      amount: 10_000,
    });
  const refund = (url: string) =>
    call(
      `${url}/razorpay/v1/payments/${payment}/refund`,
      { amount: 20_000 },
      { "X-Refund-Idempotency": "rf-01KAJ7Q3M8" },
    );
  await giveAtConsole(first.url);
  first.faults.set(merchant.account, { refund_fails_late: 1 });
  const made = await refund(first.url);
  await first.stop();
  expect(came).toEqual([]);

  await new Promise((resolve) => setTimeout(resolve, options.lateMs));
  status = 200;
  const second = await startGateways(options);
  expect((await refund(second.url)).body.id).toBe(made.body.id);
  await expect.poll(names, { timeout: 5_000 }).toContain("refund.failed");
  const events = ["payment.captured", "order.paid", "refund.created", "refund.processed"];
  for (const event of events) await expect.poll(names).toContain(event);
  const sent = new Set(came.map((one) => one.id));
  for (const { event_id } of paid.webhooks) expect(sent).toContain(event_id);
  expect(sent.size).toBe(came.length);
  await expect.poll(() => JSON.parse(readFileSync(path("lost-events.json"), "utf8"))).toEqual([]);
  status = 503;
  await giveAtConsole(second.url);
  await second.stop();

  // The stand-ins were away for longer than Razorpay goes on.
  const kept: { at: number }[] = JSON.parse(readFileSync(path("lost-events.json"), "utf8"));
  expect(kept.length).toBeGreaterThan(0);
  const aged = kept.map((one) => ({ ...one, at: one.at - 24 * 3_600_000 }));
  writeFileSync(path("lost-events.json"), JSON.stringify(aged), { mode: 0o600 });
  status = 200;
  came.length = 0;
  const third = await startGateways(options);
  await giveAtConsole(third.url);
  expect(names().toSorted()).toEqual(["refund.created", "refund.processed"]);
  await third.stop();
  worker.stop();
});

async function startMessages(options: MessagesOptions) {
  const { handle, close } = messageProviders(options);
  const { url, stop: stopServer } = await serveOwn((request, response) => void handle(request, response));
  const stop = () => {
    close();
    stopServer();
  };
  return { url, stop };
}

test("the inbox and where its accounts call back are there after a restart, as is what happened to a message", async () => {
  const called: string[] = [];
  const worker = await serveOwn((request, response) => {
    called.push(String(request.url));
    response.end();
  });
  const callback_url = `${worker.url}/callback`;
  const options = { file: path("inbox.json") };
  const send = (url: string, to: string) =>
    fetch(`${url}/providers/msg91/api/v2/sendsms`, {
      method: "POST",
      headers: { authkey: "key-of-meera" },
      body: JSON.stringify({ sender: "MEERA", sms: [{ to: [to], message: "Your lesson is at 10" }] }),
    }).then(async (answer) => (await answer.json()) as { message: string });

  const first = await startMessages(options);
  const account = JSON.stringify({ account: "key-of-meera", callback_url, secret: "s" });
  await fetch(`${first.url}/messages/accounts`, { method: "POST", body: account });
  const { message: id } = await send(first.url, "919000000101");
  await fetch(`${first.url}/messages/${id}/delivered`, { method: "POST" });
  first.stop();

  const second = await startMessages(options);
  const { data } = (await (await fetch(`${second.url}/messages`)).json()) as { data: unknown };
  expect(data).toMatchObject([
    { id, text: "Your lesson is at 10", events: [{ name: "delivered", answer: 200 }] },
  ]);
  expect((await fetch(`${second.url}/messages/${id}/failed`, { method: "POST" })).status).toBe(200);
  const { message: later } = await send(second.url, "919000000102");
  expect((await fetch(`${second.url}/messages/${later}/delivered`, { method: "POST" })).status).toBe(200);
  expect(called).toHaveLength(3);
  second.stop();
  worker.stop();
});

test("what is kept is read by its owner alone, and no half-written file is left", async () => {
  for (const name of await readdir(path())) {
    expect(name).not.toMatch(/\.new$/);
    expect((await stat(path(name))).mode & 0o777).toBe(0o600);
  }
});
