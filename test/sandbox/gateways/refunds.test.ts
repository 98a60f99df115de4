import { describe, expect, it, vi } from "vitest";
import { KINDS, type Kind } from "../../../src/sandbox/gateways/merchants.ts";
import { eventsReceived, openAccount, received, useGateways } from "./harness.ts";
import {
  AMOUNT,
  authorizationOf,
  end,
  KEY,
  ledger,
  list,
  moneyBack,
  newPayment,
  type Paid,
  refund,
  said,
  setFaults,
} from "./payments.ts";

useGateways();

const HOUR_MS = 3_600_000;
const ENDED: Record<Kind, Record<"succeeded" | "failed" | "pending", string>> = {
  razorpay: { succeeded: "processed", failed: "failed", pending: "pending" },
  stripe: { succeeded: "succeeded", failed: "failed", pending: "pending" },
  paypal: { succeeded: "COMPLETED", failed: "FAILED", pending: "PENDING" },
};
const MADE: Record<Kind, string[]> = {
  razorpay: ["refund.created", "refund.processed"],
  stripe: ["refund.created", "charge.refunded"],
  paypal: ["PAYMENT.CAPTURE.REFUNDED"],
};

const sums = (paid: Paid) =>
  ledger(paid).then((all) => all.map(({ amount, source, state }) => [amount, source, state]));

describe.each(KINDS)("%s", (kind) => {
  it("gives a part back, lists it, keeps its ledger and reports it", async () => {
    const paid = await newPayment(kind);
    const { body } = await refund(paid, 4_000);
    expect(body.status).toBe(ENDED[kind].succeeded);
    expect(JSON.stringify(body)).toContain(KEY);
    expect(await list(paid)).toEqual([body]);
    expect(await ledger(paid)).toMatchObject([
      { id: body.id, payment_id: paid.payment, amount: 4_000, key: KEY, source: "api", state: "succeeded" },
    ]);
    await expect.poll(eventsReceived).toEqual(MADE[kind]);
    expect(received.every(({ body: event }) => event.includes(paid.payment))).toBe(true);
  });

  it("gives no more back than is left, and nothing of what was given back whole", async () => {
    const paid = await newPayment(kind);
    await refund(paid, 4_000, "first-half-0001");
    const more = await refund(paid, 6_001, "too-much-000001");
    expect(more.status).toBeGreaterThanOrEqual(400);
    await refund(paid, null, "the-rest-000001");
    const again = await refund(paid, 100, "once-more-00001");
    expect([said(more), said(again)]).toEqual(
      {
        razorpay: [
          "The total refund amount is greater than the refund payment amount",
          "The payment has been fully refunded already",
        ],
        stripe: [
          "Refund amount (6001) is greater than unrefunded amount on charge (6000)",
          "charge_already_refunded",
        ],
        paypal: ["REFUND_AMOUNT_EXCEEDED", "CAPTURE_FULLY_REFUNDED"],
      }[kind],
    );
    expect(await sums(paid)).toEqual([
      [4_000, "api", "succeeded"],
      [6_000, "api", "succeeded"],
    ]);
  });

  it("answers a key again, and gives back once", async () => {
    const paid = await newPayment(kind);
    const [first, second] = [await refund(paid, 4_000), await refund(paid, 4_000)];
    expect(second.body).toEqual(first.body);
    const third = await refund(paid, 3_999);
    if (kind === "paypal") expect(third.body).toEqual(first.body);
    else expect(JSON.stringify(third.body.error)).toMatch(/idempotency|idempotent/);
    expect(await ledger(paid)).toHaveLength(1);
  });

  it("knows a key as long as it says", async () => {
    const paid = await newPayment(kind);
    const first = await refund(paid, 4_000);
    const hours = kind === "stripe" ? 24 : 45 * 24;
    const now = Date.now();
    for (const [age, isKnown] of [
      [hours - 1, true],
      [hours + 1, kind === "razorpay"],
    ] as const) {
      const clock = vi.spyOn(Date, "now").mockReturnValue(now + age * HOUR_MS);
      const authorization = await authorizationOf(paid.merchant);
      const later = await refund({ ...paid, authorization }, 4_000);
      clock.mockRestore();
      expect(later.body.id === first.body.id).toBe(isKnown);
    }
  });

  it("gives back no payment that was not captured, and none of another account", async () => {
    const outcome = kind === "razorpay" ? "authorized" : "failed";
    const refused = await refund(await newPayment(kind, outcome), 100);
    expect(said(refused)).toMatch(/captured|successful charge|REFUND_NOT_ALLOWED/);
    const paid = await newPayment(kind);
    const stranger = await authorizationOf(openAccount(kind));
    const foreign = await refund({ ...paid, authorization: stranger });
    expect(said(foreign)).toMatch(/does not exist|resource_missing|INVALID_RESOURCE_ID/);
    expect(await ledger(paid)).toEqual([]);
  });

  it("lets a refund wait, and end in either way", async () => {
    for (const outcome of ["succeeded", "failed"] as const) {
      const paid = await newPayment(kind);
      setFaults(paid, { refund_pending: 1 });
      const { body } = await refund(paid);
      expect(body.status).toBe(ENDED[kind].pending);
      await expect
        .poll(eventsReceived)
        .toEqual(kind === "paypal" ? [] : MADE[kind].filter((name) => name !== "refund.processed"));
      received.length = 0;
      expect((await end(body.id, outcome)).status).toBe(200);
      expect((await list(paid))[0].status).toBe(ENDED[kind][outcome]);
      expect(eventsReceived()).toEqual(
        {
          razorpay: [outcome === "failed" ? "refund.failed" : "refund.processed"],
          stripe: [
            "refund.updated",
            "charge.refund.updated",
            ...(outcome === "failed" ? ["refund.failed"] : []),
          ],
          paypal: outcome === "failed" ? [] : ["PAYMENT.CAPTURE.REFUNDED"],
        }[kind],
      );
      received.length = 0;
      expect((await end(body.id, "reversed")).status).toBe(409);
    }
  });

  it("lets a refund that arrived fail late, and then gives that money back again", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { refund_fails_late: 1 });
    expect((await refund(paid)).body.status).toBe(ENDED[kind].succeeded);
    await expect.poll(() => sums(paid), { timeout: 5_000 }).toEqual([[AMOUNT, "api", "failed"]]);
    setFaults(paid, {});
    expect((await refund(paid, AMOUNT, "another-key-001")).body.status).toBe(ENDED[kind].succeeded);
    expect((await sums(paid)).at(-1)).toEqual([AMOUNT, "api", "succeeded"]);
  });

  it("refuses or takes with too little money, as it does", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { refund_refused: 1 });
    const answer = await refund(paid);
    if (kind === "stripe") expect(answer.status).toBe(200);
    else expect(said(answer)).toMatch(/enough balance|INSUFFICIENT_FUNDS/);
    expect(await ledger(paid)).toHaveLength(kind === "stripe" ? 1 : 0);
  });

  it("meets a refund with the faults of its calls, and gives back once all the same", async () => {
    for (const [fault, status, before] of [
      ["refused_call", 503, 0],
      ["failed_call", 500, 1],
      ["busy_call", 409, 1],
    ] as const) {
      const paid = await newPayment(kind);
      setFaults(paid, { [fault]: 1 });
      expect((await refund(paid)).status).toBe(status);
      expect(await ledger(paid)).toHaveLength(before);
      setFaults(paid, {});
      expect((await refund(paid)).body.status).toBe(ENDED[kind].succeeded);
      expect(await ledger(paid)).toHaveLength(1);
    }
  });

  it("loses an event, sends it late, and sends it twice", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { lost_event: 1 });
    await refund(paid, 1_000, "a-lost-event-01");
    setFaults(paid, { late_event: 1, duplicate: 1 });
    await refund(paid, 1_000, "a-late-event-01");
    expect(eventsReceived()).toEqual([]);
    const twice = MADE[kind].flatMap((name) => [name, name]);
    await expect.poll(eventsReceived, { timeout: 5_000 }).toEqual(twice);
  });

  it("lets a person at its console give money back, with no key", async () => {
    const paid = await newPayment(kind);
    const { status, body } = await moneyBack(paid, { source: "console", amount: 2_500 });
    expect([status, body.refund.key]).toEqual([200, null]);
    expect(eventsReceived()).toEqual(MADE[kind]);
    expect(JSON.stringify(await list(paid))).not.toContain("rf-");
    expect((await moneyBack(paid, { source: "console", amount: 7_501 })).status).toBe(409);
    expect(await sums(paid)).toEqual([[2_500, "console", "succeeded"]]);
  });

  it("takes a payment back for the payer's bank", async () => {
    const paid = await newPayment(kind);
    const { body } = await moneyBack(paid, { source: "chargeback" });
    expect(eventsReceived()).toEqual(
      {
        razorpay: MADE.razorpay,
        stripe: ["charge.dispute.created", "charge.dispute.funds_withdrawn"],
        paypal: ["PAYMENT.CAPTURE.REVERSED"],
      }[kind],
    );
    expect(await list(paid)).toHaveLength(kind === "razorpay" ? 1 : 0);
    expect(said(await refund(paid))).toMatch(/fully refunded|charge_disputed|DUE_TO_CHARGEBACK/);
    received.length = 0;
    expect((await end(body.refund.id, "reversed")).status).toBe(kind === "stripe" ? 200 : 409);
    if (kind === "stripe")
      expect(eventsReceived()).toEqual(["charge.dispute.closed", "charge.dispute.funds_reinstated"]);
    expect(await sums(paid)).toEqual([[AMOUNT, "chargeback", kind === "stripe" ? "reversed" : "succeeded"]]);
  });
});
