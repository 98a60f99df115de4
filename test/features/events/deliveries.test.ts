import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { connectReceiver, detailOf, ENDPOINTS, type Issued, openReceiver, PATIENT } from "./endpoints.ts";
import { eventsOf } from "./events.ts";

/** A third-party verifier: throws if a signature or its time is wrong. */
function verify(secret: string, { body, headers }: { body: string; headers: object }): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

test("an event is sent as its read gives it, signed as the official verifier expects, and the log has it", async () => {
  const { company, id, secret, receiver, untilDeliveries, endpoint } = await openReceiver();
  await newCustomer(company);
  await expect.poll(() => receiver.received(), PATIENT).toHaveLength(1);
  const [event] = await eventsOf(company);
  const [request] = await receiver.received();
  if (request === undefined || event === undefined) throw new Error("Nothing came");
  expect(JSON.parse(request.body)).toEqual(event);
  expect(verify(secret, request)).toEqual(event);
  expect(request.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "CompanyOperations-Webhooks/1 CompanyOperations/1.0.0",
    "webhook-id": event.id,
  });
  const [delivery] = await untilDeliveries({ state: "delivered" });
  expect(delivery).toMatchObject({
    ...{ event_id: event.id, event_type: "customer.created", sequence: event.sequence, redelivery: 0 },
    ...{ attempt_count: 1, next_attempt_at: null, event_created_at: event.created_at },
  });
  const detail = await detailOf(company, id, String(delivery?.id));
  expect(detail.attempts).toMatchObject([{ n: 1, status: 204, error: null, response_excerpt: "" }]);
  expect(detail.request.body).toEqual(event);
  expect(detail.request.headers["webhook-signature"]).toBe("v1,...");
  const { last_success_at: at, pending } = await endpoint();
  expect([typeof at, pending]).toEqual(["string", 0]);
});

test("during a rotation both secrets sign, the newest first; after it the old one does not", async () => {
  const { company, id, secret, receiver } = await openReceiver();
  const rotate = async (seconds: number) => {
    const call = { body: { overlap_seconds: seconds } };
    const answer = await company.call<Issued>("POST", `${ENDPOINTS}/${id}/rotate`, call);
    return must(answer, 200).body.data.secret;
  };
  const send = async () => {
    const before = (await receiver.received()).length;
    await newCustomer(company);
    await expect.poll(() => receiver.received(), PATIENT).toHaveLength(before + 1);
    const request = (await receiver.received()).at(-1);
    if (request === undefined) throw new Error("Nothing came");
    return request;
  };
  const second = await rotate(3_600);
  const during = await send();
  for (const one of [secret, second]) expect(() => verify(one, during)).not.toThrow();
  const [first = ""] = String(during.headers["webhook-signature"]).split(" ");
  const { headers } = during;
  expect(() =>
    verify(second, { ...during, headers: { ...headers, "webhook-signature": first } }),
  ).not.toThrow();
  const third = await rotate(3_600);
  const again = await send();
  for (const one of [second, third]) expect(() => verify(one, again)).not.toThrow();
  expect(() => verify(secret, again)).toThrow();
  await rotate(0);
  expect(() => verify(third, { ...again, headers: { ...headers } })).toThrow();
  const after = await send();
  for (const one of [secret, second, third]) expect(() => verify(one, after)).toThrow();
  expect(String(after.headers["webhook-signature"]).split(" ")).toHaveLength(1);
});

test("the old secret no longer signs once its time is over", async () => {
  const { company, id, secret, receiver, endpoint } = await openReceiver();
  must(await company.call("POST", `${ENDPOINTS}/${id}/rotate`, { body: { overlap_seconds: 3_600 } }), 200);
  await company.clock(3_700);
  await newCustomer(company);
  await expect.poll(() => receiver.received(), PATIENT).toHaveLength(1);
  const [request] = await receiver.received();
  expect(String(request?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  expect(() => verify(secret, request as never)).toThrow();
  expect((await endpoint()).previous_secret_expires_at).toBeNull();
});

describe("what is no success", () => {
  test.each([
    [
      { status: 500, body: "Oh\u0007 no" },
      { status: 500, error: "status", response_excerpt: "Oh no" },
    ],
    [
      { status: 302, headers: { Location: "http://127.0.0.1:1/" } },
      { status: 302, error: "redirect" },
    ],
    [{ status: 0 }, { status: null, error: "connection" }],
    [
      { status: 404, body: "x".repeat(20_000) },
      { status: 404, response_excerpt: "x".repeat(1_000) },
    ],
  ])("an answer of $status", async (answer, attempt) => {
    const { company, id, receiver, untilDeliveries, endpoint } = await openReceiver();
    await receiver.answers({ always: answer });
    await newCustomer(company);
    const [delivery] = await untilDeliveries({ attempt_count: 1, state: "pending" });
    expect(Date.parse(String(delivery?.next_attempt_at)) - Date.now()).toBeLessThan(6_000);
    expect((await detailOf(company, id, String(delivery?.id))).attempts).toMatchObject([attempt]);
    expect((await endpoint()).last_failure_at).not.toBeNull();
  });

  test("an answer that does not come within 15 seconds, and holds up no other company", {
    timeout: 40_000,
  }, async () => {
    const [slow, quick] = [await openCompany(), await openCompany()];
    const waiting = await connectReceiver(slow);
    await waiting.receiver.answers({ always: { afterMs: 16_000 } });
    for (let made = 0; made < 8; made += 1) await newCustomer(slow);
    await expect.poll(() => waiting.receiver.received(), PATIENT).toHaveLength(4);
    const { receiver } = await connectReceiver(quick);
    const startedAt = Date.now();
    await newCustomer(quick);
    await expect.poll(() => receiver.received(), PATIENT).toHaveLength(1);
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    const errors = () => slow.rows("SELECT error FROM event_attempts");
    await expect.poll(errors, { timeout: 25_000, interval: 200 }).toContainEqual({ error: "timeout" });
  });

  test("410, which disables the endpoint at once", async () => {
    const { company, id, receiver, deliveries, untilEndpoint } = await openReceiver({
      types: ["customer.*", "stock.*"],
    });
    await receiver.answers({ always: { status: 410 } });
    await newCustomer(company);
    await untilEndpoint({
      ...{ state: "disabled", disabled_reason: "gone", is_active: false, pending: 1 },
    });
    expect(await company.rows("SELECT type FROM event_types_wanted")).toEqual([]);
    await newCustomer(company);
    expect(await deliveries()).toMatchObject([{ state: "held" }]);
    const back = await company.call("PATCH", `${ENDPOINTS}/${id}`, { body: { is_active: true } });
    expect(must(back, 200).body.data).toMatchObject({ state: "ok", pending: 0 });
    expect(await deliveries()).toMatchObject([{ state: "skipped" }]);
    expect(await company.rows("SELECT type FROM event_types_wanted")).toEqual([{ type: "stock.moved" }]);
  });
});

test("a Retry-After of up to an hour is honoured where it is longer than the schedule", async () => {
  const { company, receiver, untilDeliveries } = await openReceiver();
  await receiver.answers({ always: { status: 503, headers: { "Retry-After": "7200" } } });
  await newCustomer(company);
  const [delivery] = await untilDeliveries({ attempt_count: 1, state: "pending" });
  const wait = Date.parse(String(delivery?.next_attempt_at)) - Date.now();
  expect(wait).toBeGreaterThan(3_500_000);
  expect(wait).toBeLessThanOrEqual(3_600_000);
});

test("where there are no endpoints an event costs no row and no job", async () => {
  const company = await openCompany();
  await newCustomer(company);
  expect(await company.rows("SELECT 1 FROM event_deliveries")).toEqual([]);
});
