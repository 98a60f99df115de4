import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { startReadmeReceiver } from "#test/readme-receiver.ts";

const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 6).toString("base64")}`;

const receiver = await startReadmeReceiver(SECRET);
afterAll(() => receiver[Symbol.dispose]());

async function send(secrets: string[], change: (body: string) => string = (body) => body, age = 0) {
  const body = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { id: "7", notes: "₹5 – grüße" } });
  const at = new Date(Date.now() - age * 1_000);
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign("evt_1", at, body)).join(" "),
  };
  return (await fetch(receiver.url, { method: "POST", headers, body: change(body) })).status;
}

test("the receiver of README.md takes an event that is signed with its secret, also beside another one's", async () => {
  expect(await send([SECRET])).toBe(204);
  expect(await send([OTHER, SECRET])).toBe(204);
  await expect.poll(() => receiver.told.filter((line) => line === "invoice.paid 7")).toHaveLength(2);
});

test("it refuses what is signed otherwise, changed, old or no event, and goes on", async () => {
  expect(await send([OTHER])).toBe(400);
  expect(await send([SECRET], (body) => body.replace("7", "8"))).toBe(400);
  expect(await send([SECRET], undefined, 600)).toBe(400);
  expect((await fetch(receiver.url, { method: "POST", body: "x" })).status).toBe(400);
  expect(await send([SECRET])).toBe(204);
  expect(receiver.told.filter((line) => !/^invoice\.paid 7$|^not signed by us$/.test(line))).toEqual([]);
});
