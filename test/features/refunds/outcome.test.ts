import { expect, test } from "vitest";
import { GatewayError, type RefundReport } from "#providers/payment";
import { DAY_MS } from "#shared/time/durations.ts";
import type { Pursued } from "../../../src/features/refunds/held.ts";
import { decideByLook, decideByRefusal } from "../../../src/features/refunds/pursue.ts";

const BUSY = new GatewayError("busy", true);
const TOO_SMALL = new GatewayError("refused", false, "too_small");
const NO_ACCESS = new GatewayError("refused", false, "credentials");
const MADE = reportOf({ key: "rf-own", state: "succeeded", amount: 5_000 });
const FAILED = reportOf({ key: null, state: "failed", amount: 6_000 });

function reportOf(said: Pick<RefundReport, "key" | "state" | "amount">): RefundReport {
  const ids = { gatewayRefundId: `rfnd_${said.key}`, gatewayPaymentId: "pay_1" };
  return { ...said, ...ids, type: "look", kind: "refund", currency: "INR", failureCode: null };
}

/** A refund of 50.00 of a payment of 100.00. */
function pursued(status: string): Pursued {
  const refund = { key: "rf-own", amount: 5_000, currency: "INR", status, gatewayRefundId: null };
  return { refund, capture: { amount: 10_000 }, known: "[]" } as unknown as Pursued;
}

/** An outcome as its name, with why it failed. */
function wordsOf(outcome: ReturnType<typeof decideByLook>): string {
  const said = "said" in outcome ? outcome.said : undefined;
  return said?.status === "failed" ? `${outcome.name} ${said.failureCode}` : outcome.name;
}

test.each([
  ["created", "a later look that is refused", TOO_SMALL, "again", 0, "unknown"],
  ["created", "one that finds what failed at the console", [FAILED], "again", 0, "missing"],
  ["pending", "one that does not find it", [], "over", 1, "unknown"],
  ["pending", "the last one, without an answer", BUSY, "over", 30, "unknown"],
] as const)("of a refund that is %s: %s", (status, _look, found, sending, days, outcome) => {
  expect(wordsOf(decideByLook(found, pursued(status), { age: days * DAY_MS, sending, also: [] }))).toBe(
    outcome,
  );
});

test.each([
  ["does not have it", TOO_SMALL, [], "failed too_small"],
  ["made it before", TOO_SMALL, [MADE], "made"],
  ["does not answer", TOO_SMALL, BUSY, "unknown"],
  ["takes no credentials", NO_ACCESS, NO_ACCESS, "failed credentials"],
] as const)("of a refund that is refused, where the gateway %s", (_what, refusal, again, outcome) => {
  expect(wordsOf(decideByRefusal(refusal, again, pursued("created").refund))).toBe(outcome);
});
