import { expect, it, vi } from "vitest";
import type { Kind } from "../../../src/sandbox/gateways/merchants.ts";
import { clientOf } from "./client.ts";
import { call, eventsReceived, openAccount, pay, received, useGateways } from "./harness.ts";
import {
  AMOUNT,
  authorizationOf,
  end,
  KEY,
  ledger,
  moneyBack,
  newOrder,
  newPayment,
  PART,
  type Paid,
  refund,
  said,
  setFaults,
} from "./payments.ts";

/** How a gateway says and does what all of them do. */
export type Ways = {
  currency: string;
  /** What it calls the states of a refund. */
  states: Record<"succeeded" | "failed" | "pending", string>;
  /** The events of a refund: one made at once; one that waits, and how it ends. */
  events: Record<"made" | "waiting" | "succeeded" | "failed", string[]>;
  /** In which words it refuses a refund; `poor` is null where it takes one that the account has too little money for. */
  refusals: Record<"tooMuch" | "nothingLeft" | "uncaptured" | "foreign" | "takenBack", string> & {
    poor: RegExp | null;
  };
  /** What a payer can do that leaves nothing to give back. */
  uncaptured: string;
  /** Hours after which a refund is made anew for the same key; of a key that is known for ever, none. */
  forgetsAfter: { hours: number; isKnown: boolean };
  /** What it answers another refund under a known key. */
  sameKey: "the first again" | "a refusal";
  /** Whether a refund can fail after it had succeeded by a person's hand, not by a fault. */
  failsByHand: boolean;
  /** The events of a payer's bank that takes a payment back, and of its money that comes again where it can. */
  chargeback: { kind: "refund" | "chargeback"; events: string[]; reversed: string[] | null };
};

const HOUR_MS = 3_600_000;
const OTHER_KEY = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GJ";

const sums = (paid: Paid) =>
  ledger(paid).then((all) => all.map(({ amount, source, state }) => [amount, source, state]));

/** What every gateway's stand-in must do, seen by the project's own client of that gateway where it can. */
export function holdsContract(kind: Kind, ways: Ways): void {
  useGateways();

  const { give, look, payments, refunds } = clientOf(kind, ways.currency);

  it("takes less than was asked for, and two payments of one order", async () => {
    const less = await newOrder(kind);
    await pay(kind, less.order, "wrong_amount");
    expect((await payments(less)).map(({ amount }) => amount)).toContain(AMOUNT - 1);
    received.length = 0;
    const twice = await newOrder(kind);
    const { body } = await pay(kind, twice.order, "twice");
    expect(new Set(body.payment_ids).size).toBe(2);
    const paid = (await payments(twice)).map(({ gatewayPaymentId }) => gatewayPaymentId);
    expect(new Set(paid)).toEqual(new Set(body.payment_ids));
  });

  it("gives a part back: the answer, the list, the event and the ledger say the same", async () => {
    const paid = await newPayment(kind);
    expect(await look(paid)).toEqual([]);
    const report = await give(paid);
    expect(report).toMatchObject({ key: KEY, amount: PART, state: "succeeded", kind: "refund" });
    expect(report).toMatchObject({ gatewayPaymentId: paid.payment, currency: ways.currency });
    expect(await look(paid)).toEqual([{ ...report, type: "look" }]);
    expect(await ledger(paid)).toMatchObject([
      { payment_id: paid.payment, amount: PART, key: KEY, source: "api", state: "succeeded" },
    ]);
    await expect.poll(eventsReceived).toEqual(ways.events.made);
    expect(received.every(({ body }) => body.includes(paid.payment))).toBe(true);
    const last = (await refunds(paid)).at(-1);
    expect(last).toEqual({ ...report, type: last?.type });
  });

  it("gives no more back than is left, and nothing of what was given back whole", async () => {
    const paid = await newPayment(kind);
    await refund(paid, PART, "first-half-0001");
    expect(said(await refund(paid, 6_001, "too-much-000001"))).toBe(ways.refusals.tooMuch);
    await refund(paid, null, "the-rest-000001");
    expect(said(await refund(paid, 100, "once-more-00001"))).toBe(ways.refusals.nothingLeft);
    await expect(give(paid)).rejects.toMatchObject({ retry: false, reason: ways.refusals.nothingLeft });
    expect(await sums(paid)).toEqual([
      [PART, "api", "succeeded"],
      [AMOUNT - PART, "api", "succeeded"],
    ]);
  });

  it("answers a key again as long as it says, and gives back once", async () => {
    const paid = await newPayment(kind);
    const [first, second] = [await refund(paid, PART), await refund(paid, PART)];
    expect(second.body).toEqual(first.body);
    const other = await refund(paid, PART - 1);
    if (ways.sameKey === "the first again") expect(other.body).toEqual(first.body);
    else expect(JSON.stringify(other.body.error)).toMatch(/idempotency|idempotent/);
    expect(await ledger(paid)).toHaveLength(1);
    const { hours, isKnown } = ways.forgetsAfter;
    const now = Date.now();
    for (const [age, known] of [
      [hours - 1, true],
      [hours + 1, isKnown],
    ] as const) {
      const clock = vi.spyOn(Date, "now").mockReturnValue(now + age * HOUR_MS);
      const authorization = await authorizationOf(paid.merchant);
      const later = await refund({ ...paid, authorization }, PART);
      clock.mockRestore();
      expect(later.body.id === first.body.id).toBe(known);
    }
  });

  it("gives back no payment that was not captured, none of another account, and none to a stranger", async () => {
    const refused = await refund(await newPayment(kind, ways.uncaptured), 100);
    expect(said(refused)).toContain(ways.refusals.uncaptured);
    const paid = await newPayment(kind);
    const authorization = await authorizationOf(openAccount(kind));
    expect(said(await refund({ ...paid, authorization }))).toContain(ways.refusals.foreign);
    const unknown = { ...paid, merchant: { ...paid.merchant, secret: "guessed" } };
    const refusal = { name: "GatewayError", retry: false, reason: "credentials" };
    await expect(give(unknown)).rejects.toMatchObject(refusal);
    await expect(look(unknown)).rejects.toMatchObject(refusal);
    expect(await ledger(paid)).toEqual([]);
  });

  it.each(["succeeded", "failed"] as const)(
    "lets a refund wait, and then be one that has %s",
    async (outcome) => {
      const paid = await newPayment(kind);
      setFaults(paid, { refund_pending: 1 });
      const { body } = await refund(paid, PART);
      expect(body.status).toBe(ways.states.pending);
      expect(await look(paid)).toMatchObject([{ key: KEY, state: "pending" }]);
      await expect.poll(eventsReceived).toEqual(ways.events.waiting);
      received.length = 0;
      expect((await end(body.id, outcome)).status).toBe(200);
      expect(await look(paid)).toMatchObject([{ key: KEY, state: outcome }]);
      expect(eventsReceived()).toEqual(ways.events[outcome]);
      received.length = 0;
      expect((await end(body.id, "reversed")).status).toBe(409);
    },
  );

  it("lets a refund fail at once, or late, and then gives that money back again", async () => {
    const paid = await newPayment(kind);
    const next = `/pay/accounts/${paid.merchant.account}/payments/${paid.payment}/next-refund`;
    await call(next, "", { outcome: "failed" });
    expect(await give(paid)).toMatchObject({ state: "failed", failureCode: expect.any(String) });
    setFaults(paid, { refund_fails_late: 1 });
    const late = await give(paid, { key: OTHER_KEY, amount: AMOUNT });
    expect(late.state).toBe("succeeded");
    await expect
      .poll(async () => (await sums(paid)).at(-1), { timeout: 5_000 })
      .toEqual([AMOUNT, "api", "failed"]);
    setFaults(paid, {});
    const again = await refund(paid, AMOUNT, "another-key-001");
    expect(again.body.status).toBe(ways.states.succeeded);
    expect((await sums(paid)).at(-1)).toEqual([AMOUNT, "api", "succeeded"]);
    expect((await end(again.body.id, "failed")).status).toBe(ways.failsByHand ? 200 : 409);
  });

  it("refuses or takes with too little money, as it does", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { refund_refused: 1 });
    const answer = await refund(paid);
    const { poor } = ways.refusals;
    if (poor === null) expect(answer.status).toBe(200);
    else expect(said(answer)).toMatch(poor);
    expect(await ledger(paid)).toHaveLength(poor === null ? 1 : 0);
  });

  it.each([
    ["refused_call", 503, 0],
    ["failed_call", 500, 1],
    ["busy_call", 409, 1],
  ] as const)("meets a refund with a %s, and gives back once all the same", async (fault, status, made) => {
    const [raw, paid] = [await newPayment(kind), await newPayment(kind)];
    for (const one of [raw, paid]) setFaults(one, { [fault]: 1 });
    expect((await refund(raw)).status).toBe(status);
    await expect(give(paid)).rejects.toMatchObject({ name: "GatewayError", retry: true });
    expect(await ledger(paid)).toHaveLength(made);
    setFaults(paid, {});
    const report = await give(paid);
    expect(report).toMatchObject({ key: KEY, amount: PART, state: "succeeded" });
    expect(await look(paid)).toEqual([{ ...report, type: "look" }]);
    expect(await ledger(paid)).toHaveLength(1);
  });

  it("loses an event, sends it late, and sends it twice", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { lost_event: 1 });
    await refund(paid, 1_000, "a-lost-event-01");
    setFaults(paid, { late_event: 1, duplicate: 1 });
    await refund(paid, 1_000, "a-late-event-01");
    expect(eventsReceived()).toEqual([]);
    const twice = ways.events.made.flatMap((name) => [name, name]);
    await expect.poll(eventsReceived, { timeout: 5_000 }).toEqual(twice);
  });

  it("lets a person at its console give money back, with no key", async () => {
    const paid = await newPayment(kind);
    const { status, body } = await moneyBack(paid, { source: "console", amount: 2_500 });
    expect([status, body.refund.key]).toEqual([200, null]);
    expect(eventsReceived()).toEqual(ways.events.made);
    expect(await look(paid)).toMatchObject([{ key: null, amount: 2_500 }]);
    expect((await moneyBack(paid, { source: "console", amount: 7_501 })).status).toBe(409);
    expect(await sums(paid)).toEqual([[2_500, "console", "succeeded"]]);
  });

  it("takes a payment back for the payer's bank", async () => {
    const { events, reversed, ...taken } = ways.chargeback;
    const paid = await newPayment(kind);
    const { body } = await moneyBack(paid, { source: "chargeback" });
    expect(eventsReceived()).toEqual(events);
    const report = { ...taken, amount: AMOUNT, state: "succeeded", gatewayPaymentId: paid.payment };
    expect((await refunds(paid)).at(-1)).toMatchObject(report);
    expect(await look(paid)).toHaveLength(taken.kind === "refund" ? 1 : 0);
    expect(said(await refund(paid))).toBe(ways.refusals.takenBack);
    received.length = 0;
    expect((await end(body.refund.id, "reversed")).status).toBe(reversed === null ? 409 : 200);
    expect(await sums(paid)).toEqual([[AMOUNT, "chargeback", reversed === null ? "succeeded" : "reversed"]]);
    expect(eventsReceived()).toEqual(reversed ?? []);
    if (reversed !== null)
      expect((await refunds(paid)).at(-1)).toMatchObject({ ...report, kind: "chargeback_reversed" });
  });
}
