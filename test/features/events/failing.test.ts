import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { deliveriesTo, ENDPOINTS, endpointOf, FAILS, IN_A_ROW, openReceiver, PATIENT } from "./endpoints.ts";

const DAY_S = 86_400;

/** Puts the next try of a failing endpoint off by a day, as its schedule does in the end. */
async function putOff(company: TestCompany): Promise<void> {
  await company.database().batch(
    [
      `UPDATE event_deliveries SET due_at = due_at + 86400000, look_at = look_at + 86400000, attempts = 0
        WHERE state = 'pending'`,
      "UPDATE event_endpoints SET probe_at = probe_at + 86400000",
    ],
    "write",
  );
}

describe("of an endpoint that fails", () => {
  test("four deliveries whose run has died are one try together: one is sent, it counts once, and the others wait", async () => {
    const { company, count, fail } = await openReceiver();
    await fail();
    const before = await count();
    // The Worker was killed with these under way, before the endpoint was seen to fail; their leases lapse together.
    await company.database().batch(
      [
        "UPDATE event_endpoints SET probes = 1, probe_at = 0",
        `UPDATE event_deliveries SET state = 'sending', lease = 'dead', leased_until = 1, look_at = 1, own_due_at = NULL
          WHERE id IN (SELECT id FROM event_deliveries ORDER BY id LIMIT 4)`,
        "UPDATE event_deliveries SET state = 'held', own_due_at = NULL WHERE state = 'pending'",
      ],
      "write",
    );
    await company.clock(1);
    const probes = () => company.rows("SELECT probes FROM event_endpoints");
    await expect.poll(probes, PATIENT).toEqual([{ probes: 2 }]);
    expect(await count()).toBe(before + 1);
    const states = await company.rows(
      "SELECT state, count(*) AS n FROM event_deliveries GROUP BY state ORDER BY state",
    );
    expect(states).toEqual([
      { state: "held", n: 4 },
      { state: "pending", n: 1 },
    ]);
  });

  test("one that is sent again by hand between two tries is not counted as one", async () => {
    const { company, id, deliveries, endpoint, fail } = await openReceiver();
    await fail();
    await putOff(company);
    const [first] = await deliveries();
    const [{ probes } = {}] = await company.rows("SELECT probes FROM event_endpoints");
    for (let made = 1; made <= 3; made += 1) {
      must(await company.call("POST", `${ENDPOINTS}/${id}/deliveries/${first?.id}/redeliver`), 202);
      const tried = () =>
        company.rows(
          "SELECT 1 FROM event_attempts JOIN event_deliveries ON id = delivery_id WHERE ordinal > 0",
        );
      await expect.poll(tried, PATIENT).toHaveLength(made);
    }
    expect(await company.rows("SELECT probes FROM event_endpoints")).toEqual([{ probes }]);
    expect(await endpoint()).toMatchObject({ state: "failing" });
    // The next try is still chosen, and still as late as it was.
    const next = (await deliveries("state=pending")).map((one) => one.next_attempt_at ?? "");
    expect(next).toHaveLength(1);
    expect(Date.parse(String(next[0]))).toBeGreaterThan(Date.now() + (DAY_S - 3_600) * 1_000);
  });

  test.each([
    [
      "an event that is sent again by hand",
      async (company: TestCompany, id: string) => {
        const [, second] = await deliveriesTo(company, id);
        must(await company.call("POST", `${ENDPOINTS}/${id}/deliveries/${second?.id}/redeliver`), 202);
      },
    ],
    [
      "a test event",
      async (company: TestCompany, id: string) => {
        const { data } = must(await company.call("POST", `${ENDPOINTS}/${id}/test`, { body: {} }), 200).body;
        expect(data).toMatchObject({ status: 204, error: null });
        expect(await endpointOf(company, id)).toMatchObject({
          state: "ok",
          last_success_at: expect.any(String),
        });
      },
    ],
  ])(
    "the success of %s ends it for all that waits, also for the event that was to be the next try",
    async (_what, succeed) => {
      const { company, id, receiver, untilEndpoint, fail } = await openReceiver();
      await fail();
      // What was tried is due again by itself at once; what is chosen as the next try is due in a day.
      await company.rows("UPDATE event_deliveries SET due_at = 0 WHERE state = 'held'");
      await company.rows("UPDATE event_deliveries SET own_due_at = 0 WHERE own_due_at IS NOT NULL");
      await putOff(company);
      await receiver.answers({});
      await succeed(company, id);
      await untilEndpoint({ state: "ok", pending: 0 });
      const delivered = await company.rows(
        "SELECT 1 FROM event_deliveries WHERE state = 'delivered' AND ordinal = 0",
      );
      expect(delivered).toHaveLength(IN_A_ROW);
    },
  );
});

describe("an endpoint is judged by its last twenty requests", () => {
  test.each([
    ["ok", "four in a row are too few", "xxx"],
    ["failing", "five of five", "xxxx"],
    ["ok", "five in a row after fifteen successes", `${".".repeat(15)}xxxx`],
    ["ok", "one in four, and then five in a row", `${"xx......".repeat(2)}xxxx`],
    ["failing", "fifteen of twenty, and five in a row", `${".".repeat(5)}${"x".repeat(14)}`],
    ["failing", "most of twenty, and five in a row", "xxxx.xxxx.xxxx.xxxx"],
    ["ok", "most of twenty, of which the last but one was a success", `${"x".repeat(18)}.`],
  ])("%s: %s", async (state, _what, outcomes) => {
    const { company, receiver, endpoint, untilTried } = await openReceiver();
    await receiver.answers(FAILS);
    await company.rows(
      "UPDATE event_endpoints SET outcomes = ?, failures = ?, failing_since = NULL, probes = 0",
      outcomes,
      outcomes.length - outcomes.lastIndexOf(".") - 1,
    );
    await newCustomer(company);
    await untilTried(1);
    expect((await endpoint()).state).toBe(state);
  });

  test("what a receiver takes between its failures keeps none of the others waiting", async () => {
    const { company, receiver, deliveries, endpoint } = await openReceiver();
    const failing = Array.from({ length: 3 }, () => ({ status: 500 }));
    await receiver.answers({ first: [{}, {}, ...failing] });
    for (let made = 0; made < 10; made += 1) await newCustomer(company);
    const taken = () => deliveries("state=delivered");
    await expect.poll(taken, { timeout: 4_000, interval: 50 }).toHaveLength(7);
    expect(await endpoint()).toMatchObject({ state: "ok", pending: 3 });
  });
});

test("an endpoint that has taken nothing since an event was first sent is disabled where that event has failed for good", async () => {
  const { company, receiver, deliveries, untilDeliveries, untilEndpoint } = await openReceiver();
  await newCustomer(company);
  await untilDeliveries({ state: "delivered" });
  await receiver.answers(FAILS);
  await newCustomer(company);
  await expect.poll(() => deliveries("state=pending"), PATIENT).toMatchObject([{ attempt_count: 1 }]);
  await company.database().batch(
    [
      // It had taken twenty, and then the ninth try of this one failed.
      `UPDATE event_endpoints SET outcomes = '${".".repeat(11)}${"x".repeat(9)}', failures = 9`,
      "UPDATE event_deliveries SET attempts = 9, due_at = 0, look_at = 0 WHERE state = 'pending'",
    ],
    "write",
  );
  await company.clock(1);
  await untilEndpoint({ state: "disabled", disabled_reason: "exhausted" });
});
