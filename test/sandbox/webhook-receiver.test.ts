import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { serveOwn, useServer } from "#test/own-server.ts";
import { MOST_ARRIVALS, Receiver } from "../../src/sandbox/webhook-receiver/receiver.ts";
import { webhookReceiver } from "../../src/sandbox/webhook-receiver/routes.ts";

const SLOW_MS = 400;
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const EVENT = { id: "evt_0f3a9c1b7d5e2846a0b1c2d3", type: "invoice.paid", data: { id: "7" } };

const receiver = new Receiver({ slowMs: SLOW_MS });
const origin = useServer(webhookReceiver(receiver, "http://127.0.0.1:8788/webhooks/"));

/** What a sender signs a body with. */
const signed = (body: string, { secrets = [SECRET], at = new Date() } = {}) => ({
  "webhook-id": EVENT.id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(EVENT.id, at, body)).join(" "),
});

type Sent = { secrets?: string[]; body?: string; age?: number };

async function send(name: string, { body = JSON.stringify(EVENT), age = 0, ...more }: Sent = {}) {
  const headers = signed(body, { at: new Date(Date.now() - age * 1_000), ...more });
  const answer = await fetch(`${origin()}/webhooks/${name}`, { method: "POST", headers, body });
  return answer.status;
}

const read = async (path: string) => JSON.parse(await (await fetch(origin() + path)).text());
const latest = async () => (await read("/webhooks")).data[0];
const change = (path: string, body: object) =>
  fetch(`${origin()}/webhooks-page/${path}`, { method: "POST", body: JSON.stringify(body) });

test("keeps what came with its type, its headers and its body as it was sent", async () => {
  const body = `{ "type": "invoice.paid",\n "data": {"id":"7"} }`;
  expect(await send("kept", { body })).toBe(200);
  const one = await latest();
  const { type, id: event_id } = EVENT;
  expect(one).toMatchObject({ name: "kept", type, event_id, attempt: 1, answer: 200 });
  expect(Math.abs(Date.parse(one.at) - Date.now())).toBeLessThan(5_000);
  const { data } = await read(`/webhooks/${one.number}`);
  expect(data).toMatchObject({ ...one, body, headers: { "webhook-id": EVENT.id } });
  await send("kept", { body });
  expect(await latest()).toMatchObject({ attempt: 2 });
  await send("other", { body });
  expect(await latest()).toMatchObject({ attempt: 1 });
});

test("says whether the signature is valid, wrong, or of a secret that it does not have", async () => {
  await send("checked");
  expect(await latest()).toMatchObject({ signature: "unknown", why: null });
  receiver.knowSecret("checked", SECRET);
  expect(await latest()).toMatchObject({ signature: "valid" });
  await send("checked");
  expect(await latest()).toMatchObject({ signature: "valid", why: null });
  const other = `whsec_${Buffer.alloc(32, 6).toString("base64")}`;
  await send("checked", { secrets: [other] });
  expect(await latest()).toMatchObject({ signature: "wrong", why: "No matching signature found" });
  // While two secrets hold, there are two signatures.
  await send("checked", { body: "{}", secrets: [other, SECRET] });
  expect(await latest()).toMatchObject({ signature: "valid", type: null });
  await send("checked", { age: 600 });
  expect(await latest()).toMatchObject({ signature: "wrong", why: "Message timestamp too old" });
  await fetch(`${origin()}/webhooks/checked`, { method: "POST", body: "not JSON" });
  expect(await latest()).toMatchObject({ signature: "wrong", why: "Missing required headers", type: null });
});

test("takes a secret by its page, shows the end of it alone, and refuses what is none", async () => {
  expect((await change("pasted/secret", { secret: SECRET })).status).toBe(200);
  const { receivers, prefix } = await read("/webhooks");
  expect(prefix).toBe("http://127.0.0.1:8788/webhooks/");
  expect(receivers).toContainEqual({ name: "pasted", secret: SECRET.slice(-4), next: null });
  expect(JSON.stringify(await read("/webhooks"))).not.toContain(SECRET);
  await send("pasted");
  expect(await latest()).toMatchObject({ signature: "valid" });
  for (const secret of ["sk_1", "whsec_", "whsec_!!", 7])
    expect((await change("pasted/secret", { secret })).status, String(secret)).toBe(422);
  await send("pasted");
  expect(await latest()).toMatchObject({ signature: "valid" });
});

test("knows what others remember for it, until another secret is entered", async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const memory: Record<string, string> = {};
  const keep = (name: string, secret: string) => void Object.assign(memory, { [name]: secret });
  const one = new Receiver({ secrets: { known: () => memory, keep } });
  const headers = signed("{}");
  one.receive("demo", headers, "{}");
  expect(one.list()).toMatchObject([{ signature: "unknown" }]);
  memory.demo = SECRET;
  expect(one.list()).toMatchObject([{ signature: "valid" }]);
  expect(one.receivers()).toEqual([{ name: "demo", secret: SECRET.slice(-4), next: null }]);
  one.knowSecret("demo", other);
  one.receive("demo", headers, "{}");
  expect(one.list()).toMatchObject([{ signature: "wrong" }, { signature: "valid" }]);
  // A receiver that keeps it knows it after a restart, and judges earlier requests by it.
  expect(memory).toEqual({ demo: other });
  one.knowSecret("demo", SECRET);
  expect(one.list()).toMatchObject([{ signature: "valid", why: null }, { signature: "valid" }]);
});

test("answers the next requests to a name with an error, 410, or late; then 200 again", async () => {
  expect((await change("planned/answers", { answer: "500", times: 2 })).status).toBe(200);
  expect(await send("other")).toBe(200);
  expect([await send("planned"), await send("planned"), await send("planned")]).toEqual([500, 500, 200]);
  await change("planned/answers", { answer: "410", times: 1 });
  expect(await send("planned")).toBe(410);
  expect(await latest()).toMatchObject({ answer: 410 });
  await change("planned/answers", { answer: "slow", times: 1 });
  const late = send("planned");
  await expect.poll(latest).toMatchObject({ name: "planned", answer: null });
  const before = Date.now();
  expect(await late).toBe(200);
  expect(Date.now() - before).toBeLessThan(SLOW_MS * 3);
  expect(await latest()).toMatchObject({ answer: 200, is_late: true });
  await change("planned/answers", { answer: "500", times: 9 });
  await change("planned/answers", { answer: "200", times: 1 });
  expect(await send("planned")).toBe(200);
  for (const body of [{ answer: "999", times: 1 }, { answer: "500", times: 0 }, { answer: "500" }, {}])
    expect((await change("planned/answers", body)).status, JSON.stringify(body)).toBe(422);
});

test("keeps the last of them alone, and none that is too long or has no place", async () => {
  await send("first");
  const { number } = await latest();
  for (let count = 0; count < MOST_ARRIVALS; count += 1) await send("many");
  expect((await read("/webhooks")).data).toHaveLength(MOST_ARRIVALS);
  expect((await fetch(`${origin()}/webhooks/${number}`)).status).toBe(404);
  expect(await send("long", { body: "x".repeat(1_100_000) })).toBe(413);
  for (const name of ["", "a/b", "a.b", "%00", "a%2Fb", "x".repeat(65)])
    expect(await send(name), name).toBe(404);
  const names = (await read("/webhooks")).receivers.map((one: { name: string }) => one.name);
  expect(names).toContain("pasted");
  expect(names).not.toContain("long");
  expect((await fetch(`${origin()}/webhooks/many`, { method: "PUT", body: "{}" })).status).toBe(405);
});

test("a secret that is entered late judges what came by the time at which it came", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const one = new Receiver();
    one.receive("late", signed("{}"), "{}");
    one.receive("late", signed("{}", { at: new Date(Date.now() - 600_000) }), "{}");
    one.receive("late", {}, "{}");
    vi.setSystemTime(Date.now() + 3_600_000);
    one.knowSecret("late", SECRET);
    expect(one.list().map(({ signature }) => signature)).toEqual(["wrong", "wrong", "valid"]);
  } finally {
    vi.useRealTimers();
  }
});

test("what comes for a port of this machine is passed on as it is, and answered as it is there", async () => {
  const passed: { headers: IncomingHttpHeaders; body: string }[] = [];
  const own = await serveOwn(async (request, response) => {
    passed.push({ headers: request.headers, body: await text(request) });
    response.writeHead(passed.length === 1 ? 204 : 418).end();
  });
  const { port } = new URL(own.url);
  const body = `{ "type": "invoice.paid",\n "data": {"id":"₹7"} }`;
  expect(await send(port, { body })).toBe(204);
  expect(await latest()).toMatchObject({ name: port, type: "invoice.paid", answer: 204, is_late: false });
  expect(passed[0]?.body).toBe(body);
  expect(new Webhook(SECRET).verify(body, passed[0]?.headers as Record<string, string>)).toBeTruthy();
  expect(await send(port)).toBe(418);
  // What was planned comes first, and never reaches the port.
  await change(`${port}/answers`, { answer: "500", times: 1 });
  expect(await send(port)).toBe(500);
  expect(passed).toHaveLength(2);
  own.stop();
  for (const nobody of [port, "0", "99999"]) {
    expect(await send(nobody), nobody).toBe(502);
    expect(await latest()).toMatchObject({ name: nobody, answer: 502 });
  }
});
