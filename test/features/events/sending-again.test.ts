import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { untilQuiet } from "../../support/round-trips.ts";
import { newCustomer } from "../commerce.ts";
import { connectReceiver, ENDPOINTS, openReceiver, PATIENT } from "./endpoints.ts";

const RESOURCES = await allResources();

test("redeliver sends the event once more under the same id", async () => {
  const { company, id, receiver, untilDeliveries } = await openReceiver();
  await newCustomer(company);
  const [first] = await untilDeliveries({ state: "delivered" });
  const path = `${ENDPOINTS}/${id}/deliveries/${first?.id}/redeliver`;
  const again = must(await company.call("POST", path), 202).body.data;
  expect(again).toMatchObject({
    event_id: first?.event_id,
    redelivery: 1,
    attempt_count: 0,
    state: "pending",
  });
  await expect.poll(() => receiver.events(), PATIENT).toHaveLength(2);
  expect(new Set((await receiver.events()).map((event) => event.id)).size).toBe(1);
  must(await company.call("PATCH", `${ENDPOINTS}/${id}`, { body: { is_active: false } }), 200);
  expect(await company.call("POST", path)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
});

describe("replay", () => {
  test("is a transaction of its own, so that many at once keep no other writer waiting for all of them", async () => {
    const { company, id } = await openReceiver({ types: ["product.*"] });
    await untilQuiet(company);
    await company.faults({ kind: "delay", delay_ms: 500, times: 1, writes_only: true });
    const before = await company.requests();
    const body = { since: new Date(Date.now() - 3_600_000).toISOString() };
    const replays = Array.from({ length: 8 }, () =>
      company.call("POST", `${ENDPOINTS}/${id}/replay`, { body }),
    );
    for (const { status } of await Promise.all(replays)) expect(status).toBe(202);
    // Each writes by itself, after reads that may go together.
    expect((await company.requests()) - before).toBeGreaterThan(8);
  });

  test("sends what the endpoint has not taken: also what came while it was disabled", async () => {
    const { company, id, receiver, deliveries, untilDeliveries, untilEndpoint } = await openReceiver({
      types: ["customer.*"],
    });
    await newCustomer(company);
    await untilDeliveries({ state: "delivered" });
    const change = (body: object) => company.call("PATCH", `${ENDPOINTS}/${id}`, { body });
    must(await change({ is_active: false }), 200);
    await newCustomer(company);
    await newCustomer(company);
    const replay = (body: object) =>
      company.call<{ queued: number }>("POST", `${ENDPOINTS}/${id}/replay`, { body });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await replay({ since })).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    must(await change({ is_active: true }), 200);
    expect(must(await replay({ since, types: ["customer.deleted"] }), 202).body.data).toEqual({ queued: 0 });
    expect(must(await replay({ since }), 202).body.data).toEqual({ queued: 2 });
    await expect.poll(() => receiver.events(), PATIENT).toHaveLength(3);
    await untilEndpoint({ pending: 0 });
    expect(must(await replay({ since: 1 }), 202).body.data).toEqual({ queued: 0 });
    const [first] = await deliveries();
    const all = { since: Number(first?.sequence), until: Number(first?.sequence), only_undelivered: false };
    expect(must(await replay(all), 202).body.data).toEqual({ queued: 1 });
    await expect.poll(() => receiver.events(), PATIENT).toHaveLength(4);
    await expectSound(company);
  });

  test("is spaced to 50 each second, and refused above 10,000", { timeout: 120_000 }, async () => {
    const company = await openCompany();
    await newCustomer(company);
    const pile = (many: number) =>
      company.database().execute({
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO events (type, resource, record_id, at, request_id, shape)
          SELECT 'customer.updated', 'customer', '1', (SELECT max(at) FROM events), 'req_piled', 0 FROM n`,
        args: [many],
      });
    await pile(110);
    const { id, receiver } = await connectReceiver(company, { types: ["customer.updated"] });
    const replay = () => company.call("POST", `${ENDPOINTS}/${id}/replay`, { body: { since: 1 } });
    const before = await company.requests();
    expect(must(await replay(), 202).body.data).toEqual({ queued: 110 });
    const due = await company.rows(
      "SELECT due_at - (SELECT min(due_at) FROM event_deliveries) AS after, count(*) AS many FROM event_deliveries GROUP BY 1",
    );
    expect(due).toEqual([
      { after: 0, many: 50 },
      { after: 1_000, many: 50 },
      { after: 2_000, many: 10 },
    ]);
    await expect
      .poll(() => receiver.received().then(({ length }) => length), { timeout: 80_000, interval: 100 })
      .toBe(110);
    // Some are taken at a time, and each is settled: that many at once hold up no write of the company.
    expect((await company.requests()) - before).toBeLessThan(2 * 110);
    must(await company.call("PATCH", `${ENDPOINTS}/${id}`, { body: { is_active: false } }), 200);
    await pile(10_001);
    must(await company.call("PATCH", `${ENDPOINTS}/${id}`, { body: { is_active: true } }), 200);
    expect(await replay()).toMatchObject({ status: 422, body: { code: "replay_too_large" } });
  });
});

test("a test event is sent to a disabled endpoint too, and leaves no event, no delivery and no change of the endpoint", async () => {
  const { company, id, receiver, endpoint } = await openReceiver({ is_active: false });
  await receiver.answers({ first: [{ status: 500, body: "no" }] });
  const before = await endpoint();
  const send = (body: object) => company.call("POST", `${ENDPOINTS}/${id}/test`, { body });
  expect(must(await send({}), 200).body.data).toMatchObject({
    n: 1,
    status: 500,
    error: "status",
    response_excerpt: "no",
  });
  const tried = must(await send({ type: "payment.recorded" }), 200).body.data;
  expect(tried).toMatchObject({ status: 204, error: null });
  const [ping, payment] = await receiver.events();
  expect(ping).toMatchObject({ type: "test.ping", sequence: 0 });
  expect(payment).toMatchObject({ type: "payment.recorded", sequence: 0 });
  const resource = RESOURCES.find(({ name }) => name === EVENT_TYPES["payment.recorded"].resource);
  expect(() => resource?.record.parse(payment?.data)).not.toThrow();
  expect(await endpoint()).toEqual(before);
  expect(await company.rows("SELECT 1 FROM events UNION ALL SELECT 1 FROM event_deliveries")).toEqual([]);
  expect((await send({ type: "payment.*" })).status).toBe(422);
  expect((await send({ type: "payment.recorded,payment.recorded" })).status).toBe(422);
  expect((await send({ type: "payment.payed" })).status).toBe(422);
});

test("a delivery shows no record, and no answer to one, that the key may not read", async () => {
  const { company, id, receiver, untilDeliveries } = await openReceiver();
  await receiver.answers({ always: { body: "Meera" } });
  await newCustomer(company);
  const [delivery] = await untilDeliveries({ state: "delivered" });
  const path = `${ENDPOINTS}/${id}/deliveries`;
  const [lesser, greater] = [
    await company.key("settings:read"),
    await company.key("settings:read", "customers:read"),
  ];
  const denied = await company.call("GET", `${path}/${delivery?.id}`, { key: lesser });
  expect(denied).toMatchObject({ status: 403, body: { required_scope: "customers:read" } });
  const listed = must(await company.call("GET", path, { key: lesser }), 200);
  expect(listed.text).not.toContain("Meera");
  expect((await company.call("GET", `${path}/${delivery?.id}`, { key: greater })).status).toBe(200);
});

test("deliveries are listed by state, type and day, and 404 of an endpoint that is not there", async () => {
  const { company, id, deliveries } = await openReceiver();
  await newCustomer(company);
  await newCustomer(company);
  await expect.poll(() => deliveries("state=delivered"), PATIENT).toHaveLength(2);
  expect(await deliveries("state=failed")).toEqual([]);
  expect(await deliveries("type=customer.*&from=2020-01-01")).toHaveLength(2);
  expect(await deliveries("type=invoice.paid")).toEqual([]);
  expect(await deliveries("to=2020-01-01")).toEqual([]);
  must(await company.call("DELETE", `${ENDPOINTS}/${id}`), 200);
  expect((await company.call("GET", `${ENDPOINTS}/${id}/deliveries`)).status).toBe(404);
  await expectSound(company);
});
