import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { detailOf, ENDPOINTS, FAILS, IN_A_ROW, openReceiver, PATIENT } from "./endpoints.ts";

const HOUR_S = 3_600;
const SOON = 0.001;
// Each of the ten attempts, in hours: as late as the schedule's jitter may make it, and the clock's net of a minute.
const STEPS = [0.03, 0.13, 0.65, 2.5, 6.1, 12.1, 16.9, 24.1, 28.9];

/** A company whose clock only goes forward. */
function clockOf(company: TestCompany) {
  let seconds = 0;
  return async (hours: number) => {
    seconds += Math.round(hours * HOUR_S);
    await company.clock(seconds);
  };
}

/** The stamp that sends off the events before it in a batch. */
function stamped(at: string, request: string): string {
  return `UPDATE events SET at = ${at}, request_id = '${request}', shape = 0 WHERE request_id IS NULL`;
}

/** Events that were not sent yet, as if that many calls had made them. */
async function pileUp(company: TestCompany, many: number): Promise<void> {
  await company.database().batch(
    [
      {
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO events (type, resource, record_id) SELECT 'customer.updated', 'customer', '1' FROM n`,
        args: [many],
      },
      stamped("(SELECT max(at) FROM events)", "req_piled"),
    ],
    "write",
  );
}

test("a receiver that fails three times and then accepts gets the event four times, under one id", {
  timeout: 300_000,
}, async () => {
  const { company, id, receiver, deliveries, untilDeliveries, endpoint } = await openReceiver();
  const forward = clockOf(company);
  await receiver.answers({ first: [{ status: 500 }, { status: 503 }, { status: 429 }] });
  await newCustomer(company);
  for (const [index, hours] of STEPS.slice(0, 3).entries()) {
    await expect.poll(() => endpoint().then(({ last_failure_at: at }) => at), PATIENT).not.toBeNull();
    await untilDeliveries({ attempt_count: index + 1, state: "pending" });
    expect(await endpoint()).toMatchObject({ state: "ok" });
    await forward(hours);
  }
  await untilDeliveries({ state: "delivered", attempt_count: 4 });
  const ids = (await receiver.received()).map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
  const [delivery] = await deliveries();
  const { attempts } = await detailOf(company, id, String(delivery?.id));
  expect(attempts.map(({ n, status }) => [n, status])).toEqual([
    [1, 500],
    [2, 503],
    [3, 429],
    [4, 204],
  ]);
  expect(await endpoint()).toMatchObject({ state: "ok" });
});

test("a dead receiver costs one request a step and one more for the first event behind it, however many pile up; then it is disabled", {
  timeout: 300_000,
}, async () => {
  const { company, id, receiver, untilEndpoint, untilTried, count } = await openReceiver();
  const forward = clockOf(company);
  await receiver.answers(FAILS);
  await newCustomer(company);
  const steps = [...STEPS.slice(0, IN_A_ROW - 1), SOON, ...STEPS.slice(IN_A_ROW - 1)];
  for (const [index, hours] of steps.entries()) {
    await expect.poll(count, PATIENT).toBe(index + 1);
    await untilTried(index + 1);
    // The first of them is tried at once, beside the tries that count: perhaps only that one event does it.
    if (hours === SOON) await pileUp(company, 5_000);
    await forward(hours);
  }
  await untilEndpoint({ state: "disabled", disabled_reason: "exhausted", is_active: false });
  expect(await count()).toBe(11);
  await forward(80);
  const again = await company.call("PATCH", `${ENDPOINTS}/${id}`, { body: { is_active: true } });
  expect(must(again, 200).body.data).toMatchObject({ state: "ok", pending: 0 });
  expect(
    await company.rows("SELECT count(*) AS n FROM event_deliveries WHERE state = 'skipped'"),
  ).not.toEqual([{ n: 0 }]);
  expect(await count()).toBe(11);
});

describe("one event that a receiver never takes", () => {
  test("among good ones fails by itself, and disables nothing", { timeout: 300_000 }, async () => {
    const { company, receiver, deliveries, endpoint, count } = await openReceiver();
    const forward = clockOf(company);
    await receiver.answers({ always: { status: 500 } });
    await newCustomer(company);
    await expect.poll(count, PATIENT).toBe(1);
    for (const [index, hours] of STEPS.entries()) {
      await receiver.answers({});
      await newCustomer(company);
      const good = () =>
        company.rows("SELECT count(*) AS good FROM event_deliveries WHERE state = 'delivered'");
      await expect.poll(good, PATIENT).toEqual([{ good: index + 1 }]);
      await receiver.answers(FAILS);
      await forward(hours);
      // The count is raised before the receiver is asked: it is known to have failed once its row is there.
      const bad = () => company.rows("SELECT count(*) AS bad FROM event_attempts WHERE status = 500");
      await expect.poll(bad, PATIENT).toEqual([{ bad: index + 2 }]);
    }
    const end = () => deliveries().then(([poison]) => poison?.state);
    await expect.poll(end, PATIENT).toBe("failed");
    expect(await endpoint()).toMatchObject({ is_active: true, state: "ok" });
  });

  test("alone for hours does not keep the next one from its receiver", { timeout: 300_000 }, async () => {
    const { company, receiver, untilDeliveries, untilTried, endpoint } = await openReceiver();
    const forward = clockOf(company);
    await receiver.answers(FAILS);
    await newCustomer(company);
    for (const [index, hours] of STEPS.slice(0, IN_A_ROW).entries()) {
      await untilTried(index + 1);
      if (index < IN_A_ROW - 1) await forward(hours);
    }
    expect(await endpoint()).toMatchObject({ state: "failing" });
    await receiver.answers({});
    await newCustomer(company);
    await untilDeliveries({ state: "pending" }, { state: "delivered" });
    expect(await endpoint()).toMatchObject({ state: "ok" });
  });
});

test("what waited for a failing receiver is let go once it works, fifty at a time, each once", {
  timeout: 60_000,
}, async () => {
  const { company, receiver, endpoint, count, fail } = await openReceiver();
  await fail();
  const before = await count();
  await pileUp(company, 120);
  expect((await endpoint()).pending).toBe(120 + IN_A_ROW);
  await receiver.answers({});
  await clockOf(company)(0.05);
  await expect.poll(endpoint, { timeout: 40_000, interval: 100 }).toMatchObject({ state: "ok", pending: 0 });
  const ids = (await receiver.events()).slice(before).map((event) => event.id);
  expect([ids.length, new Set(ids).size]).toEqual([120 + IN_A_ROW, 120 + IN_A_ROW]);
});

test("more than 10,000 that wait are not kept: the oldest is skipped", async () => {
  const { company, deliveries, endpoint, fail } = await openReceiver();
  await fail();
  await pileUp(company, 10_010);
  await company.clock(1);
  await expect.poll(() => endpoint().then(({ pending }) => pending), PATIENT).toBeLessThanOrEqual(10_001);
  const [first] = await deliveries("state=skipped");
  expect(first?.sequence).toBeLessThan(20);
});

test("a delivery whose job was lost goes out within 90 seconds, and one whose run died once its lease has lapsed", async () => {
  const { company, untilDeliveries, count } = await openReceiver();
  await newCustomer(company);
  await untilDeliveries({ state: "delivered" });
  const told = (request: string) => [
    "INSERT INTO events (type, resource, record_id) VALUES ('customer.updated', 'customer', '1')",
    stamped("1", request),
  ];
  // All at once: the job that sent the first one takes what it finds.
  await company.database().batch(
    [
      ...told("req_lost"),
      ...told("req_died"),
      `UPDATE event_deliveries SET state = 'sending', lease = 'dead', attempts = 1, leased_until = 1, look_at = 1
        WHERE id = (SELECT max(id) FROM event_deliveries)`,
    ],
    "write",
  );
  await company.clock(1);
  await untilDeliveries(
    { state: "delivered", attempt_count: 1 },
    { state: "delivered", attempt_count: 1 },
    { state: "delivered", attempt_count: 2 },
  );
  expect(await count()).toBe(3);
});
