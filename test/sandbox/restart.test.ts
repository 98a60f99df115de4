import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateways } from "#test/start-gateways.ts";
import { demoMerchant } from "../../src/sandbox/gateways/merchants.ts";
import { type MessagesOptions, messageProviders } from "../../src/sandbox/message-providers/routes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-restart-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const json = { "Content-Type": "application/json" };

test("an account that was opened at a gateway, and its open payment, are there after a restart", async () => {
  const options = { workerOrigin: "http://127.0.0.1:1", file: join(folder, "gateways.json") };
  const merchant = demoMerchant("razorpay", { slug: "meera", name: "Meera Traders" });
  const signed = { Authorization: `Basic ${btoa(`${merchant.account}:${merchant.secret}`)}`, ...json };
  const order = (url: string) =>
    fetch(`${url}/razorpay/v1/orders`, {
      method: "POST",
      headers: signed,
      body: JSON.stringify({ amount: 50_000, currency: "INR" }),
    });
  const first = await startGateways({ ...options, merchants: [] });
  expect((await order(first.url)).status).toBe(401);
  const opened = await fetch(`${first.url}/pay/merchants`, {
    method: "PUT",
    headers: json,
    body: JSON.stringify(merchant),
  });
  expect(opened.status).toBe(200);
  const { id } = (await (await order(first.url)).json()) as { id: string };
  await first.stop();

  const second = await startGateways({ ...options, merchants: [] });
  expect((await order(second.url)).status).toBe(200);
  const asked = await fetch(`${second.url}/razorpay/v1/orders/${id}`, { headers: signed });
  expect(await asked.json()).toMatchObject({ id, status: "created", amount_due: 50_000 });
  const page = `${second.url}/pay/razorpay/${id}`;
  expect((await fetch(page)).status).toBe(200);
  await second.stop();
});

test("events that were not accepted are sent again after a restart, as long as their gateway does so, and a late failure comes", async () => {
  const came: { event: string; id: string }[] = [];
  let status = 503;
  const worker = createServer(async (request, response) => {
    const { event } = JSON.parse((await buffer(request)).toString());
    if (status === 200) came.push({ event, id: String(request.headers["x-razorpay-event-id"]) });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  const file = join(folder, "lost.json");
  const merchant = demoMerchant("razorpay", { slug: "asha", name: "Asha Traders" });
  const options = {
    ...{ workerOrigin: `http://127.0.0.1:${(worker.address() as AddressInfo).port}`, file },
    ...{ merchants: [merchant], retryDelays: [20], lateMs: 300 },
  };
  const signed = { Authorization: `Basic ${btoa(`${merchant.account}:${merchant.secret}`)}`, ...json };
  const post = async (url: string, body: object) =>
    (await (await fetch(url, { method: "POST", headers: signed, body: JSON.stringify(body) })).json()) as {
      id: string;
      payment_ids: string[];
      webhooks: { event_id: string; delivered: boolean }[];
    };

  const first = await startGateways(options);
  const { id } = await post(`${first.url}/razorpay/v1/orders`, { amount: 50_000, currency: "INR" });
  const paid = await post(`${first.url}/pay/razorpay/${id}`, { outcome: "paid" });
  const [payment] = paid.payment_ids;
  const console = { source: "console", amount: 10_000 };
  await post(`${first.url}/pay/accounts/${merchant.account}/payments/${payment}`, console);
  first.faults.set(merchant.account, { refund_fails_late: 1 });
  await post(`${first.url}/razorpay/v1/payments/${payment}/refund`, { amount: 20_000 });
  await first.stop();
  expect(came).toEqual([]);

  await new Promise((resolve) => setTimeout(resolve, options.lateMs));
  status = 200;
  const second = await startGateways(options);
  await expect.poll(() => came.map(({ event }) => event), { timeout: 5_000 }).toContain("refund.failed");
  const events = ["payment.captured", "order.paid", "refund.created", "refund.processed"];
  for (const event of events) await expect.poll(() => came.map((one) => one.event)).toContain(event);
  const sent = new Set(came.map((one) => one.id));
  for (const { event_id: sentBefore } of paid.webhooks) expect(sent).toContain(sentBefore);
  expect(sent.size).toBe(came.length);
  await expect.poll(() => JSON.parse(readFileSync(join(folder, "lost-events.json"), "utf8"))).toEqual([]);
  status = 503;
  await post(`${second.url}/pay/accounts/${merchant.account}/payments/${payment}`, console);
  await second.stop();

  // The stand-ins were away for longer than Razorpay goes on.
  const kept: { at: number }[] = JSON.parse(readFileSync(join(folder, "lost-events.json"), "utf8"));
  expect(kept.length).toBeGreaterThan(0);
  const aged = kept.map((one) => ({ ...one, at: one.at - 24 * 3_600_000 }));
  writeFileSync(join(folder, "lost-events.json"), JSON.stringify(aged), { mode: 0o600 });
  status = 200;
  const before = came.length;
  const third = await startGateways(options);
  await post(`${third.url}/pay/accounts/${merchant.account}/payments/${payment}`, console);
  expect(
    came
      .slice(before)
      .map(({ event }) => event)
      .toSorted(),
  ).toEqual(["refund.created", "refund.processed"]);
  await third.stop();
  worker.close();
});

async function startMessages(options: MessagesOptions) {
  const { handle, close } = messageProviders(options);
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, stop };
}

test("the inbox and where its accounts call back are there after a restart, as is what happened to a message", async () => {
  const called: string[] = [];
  const worker = createServer((request, response) => {
    called.push(String(request.url));
    response.end();
  });
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  const callback_url = `http://127.0.0.1:${(worker.address() as AddressInfo).port}/callback`;
  const options = { file: join(folder, "inbox.json") };
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
  await first.stop();

  const second = await startMessages(options);
  const { data } = (await (await fetch(`${second.url}/messages`)).json()) as { data: unknown };
  expect(data).toMatchObject([
    { id, text: "Your lesson is at 10", events: [{ name: "delivered", answer: 200 }] },
  ]);
  expect((await fetch(`${second.url}/messages/${id}/failed`, { method: "POST" })).status).toBe(200);
  const { message: later } = await send(second.url, "919000000102");
  expect((await fetch(`${second.url}/messages/${later}/delivered`, { method: "POST" })).status).toBe(200);
  expect(called).toHaveLength(3);
  await second.stop();
  worker.close();
});

test("what is kept is read by its owner alone, and no half-written file is left", async () => {
  for (const name of await readdir(folder)) {
    expect(name).not.toMatch(/\.new$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
});
