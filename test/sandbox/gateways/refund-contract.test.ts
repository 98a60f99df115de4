import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import { settingsOf } from "../../../src/sandbox/demo/demo-gateways.ts";
import { KINDS } from "../../../src/sandbox/gateways/merchants.ts";
import { call, gateways, received, useGateways } from "./harness.ts";
import { AMOUNT, end, KEY, ledger, moneyBack, newPayment, type Paid, setFaults } from "./payments.ts";

useGateways();

// workerd writes bytes in hexadecimal by itself; Node does not yet.
vi.mock("#core/secrets/hash.ts", () => ({
  sha256Hex: (data: Uint8Array) => createHash("sha256").update(data).digest("hex"),
}));

const CURRENCIES = { razorpay: "INR", stripe: "INR", paypal: "USD" };

const accountOf = ({ kind, merchant }: Paid): GatewayAccount => ({
  mode: "test",
  credentials: settingsOf(merchant).credentials,
  address: `${gateways.url}/${kind}`,
});

const orderOf = ({ kind, payment, order, merchant }: Paid, fields = {}) => ({
  key: KEY,
  company: merchant.company,
  gatewayPaymentId: payment,
  gatewayOrderId: order,
  amount: 4_000,
  currency: CURRENCIES[kind],
  isDuplicate: false,
  isInstant: false,
  ...fields,
});

const refund = (paid: Paid, fields = {}) =>
  GATEWAYS[paid.kind].refund(accountOf(paid), orderOf(paid, fields));
const look = (paid: Paid) => GATEWAYS[paid.kind].lookRefunds(accountOf(paid), orderOf(paid));

/** The reports of money that went back, in what was received. */
async function reported(paid: Paid) {
  const events = received.map(({ body }) => {
    const bytes = Uint8Array.from(new TextEncoder().encode(body));
    const delivery = { headers: new Headers(), body: bytes, receivedAt: Date.now() };
    return GATEWAYS[paid.kind].read(accountOf(paid), JSON.parse(body), delivery);
  });
  return (await Promise.all(events)).flatMap(({ refund }) => refund ?? []);
}

describe.each(KINDS)("%s", (kind) => {
  it("gives back what was ordered, and the look and the event say the same", async () => {
    const paid = await newPayment(kind);
    expect(await look(paid)).toEqual([]);
    const report = await refund(paid);
    expect(report).toMatchObject({ key: KEY, amount: 4_000, state: "succeeded", kind: "refund" });
    expect(report).toMatchObject({ gatewayPaymentId: paid.payment, currency: CURRENCIES[kind] });
    expect(await look(paid)).toEqual([{ ...report, type: "look" }]);
    await expect.poll(() => received.length).toBeGreaterThan(0);
    const last = (await reported(paid)).at(-1);
    expect(last).toEqual({ ...report, type: last?.type });
  });

  it("gives back once where an answer is lost, refused while the first runs, or asked for again", async () => {
    for (const fault of ["failed_call", "busy_call"]) {
      const paid = await newPayment(kind);
      setFaults(paid, { [fault]: 1 });
      await expect(refund(paid)).rejects.toMatchObject({ name: "GatewayError", retry: true });
      setFaults(paid, {});
      const [found] = await look(paid);
      expect(found).toMatchObject({ key: KEY, amount: 4_000, state: "succeeded" });
      expect(await refund(paid)).toEqual({ ...found, type: "refund" });
      expect(await ledger(paid)).toHaveLength(1);
    }
  });

  it("sees a refund of the console and a late failure, and refuses more than is left", async () => {
    const paid = await newPayment(kind);
    await moneyBack(paid, { source: "console", amount: 7_000 });
    expect(await look(paid)).toMatchObject([{ key: null, amount: 7_000 }]);
    await expect(refund(paid)).rejects.toMatchObject({ retry: false, reason: expect.any(String) });
    const { gatewayRefundId } = await refund(paid, { amount: 3_000, key: "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GJ" });
    // PayPal's refunds fail while they are on their way only.
    expect((await end(gatewayRefundId, "failed")).status).toBe(kind === "paypal" ? 409 : 200);
    if (kind === "paypal") return;
    expect((await look(paid))[0]).toMatchObject({
      gatewayRefundId,
      state: "failed",
      failureCode: expect.any(String),
    });
  });

  it("learns from the answer, or a look, that a refund failed at once, or while it was on its way", async () => {
    const paid = await newPayment(kind);
    const path = `/pay/accounts/${paid.merchant.account}/payments/${paid.payment}/next-refund`;
    await call(path, "", { outcome: "failed" });
    expect(await refund(paid)).toMatchObject({ state: "failed", failureCode: expect.any(String) });
    await call(path, "", { outcome: "pending" });
    const key = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GJ";
    const { gatewayRefundId, state } = await refund(paid, { key });
    expect(state).toBe("pending");
    await end(gatewayRefundId, "failed");
    expect(await look(paid)).toContainEqual(expect.objectContaining({ key, state: "failed" }));
  });

  it("refuses an account's credentials", async () => {
    const paid = await newPayment(kind);
    const unknown = { ...paid, merchant: { ...paid.merchant, secret: "guessed" } };
    const refusal = { name: "GatewayError", retry: false, reason: "credentials" };
    await expect(refund(unknown)).rejects.toMatchObject(refusal);
    await expect(look(unknown)).rejects.toMatchObject(refusal);
  });

  it("reports a chargeback as one, but Razorpay's lost dispute as a refund", async () => {
    const paid = await newPayment(kind);
    const { body } = await moneyBack(paid, { source: "chargeback" });
    const taken = { kind: kind === "razorpay" ? "refund" : "chargeback", amount: AMOUNT, state: "succeeded" };
    expect((await reported(paid)).at(-1)).toMatchObject({ ...taken, gatewayPaymentId: paid.payment });
    if (kind !== "stripe") return;
    await end(body.refund.id, "reversed");
    expect((await reported(paid)).at(-1)).toMatchObject({ ...taken, kind: "chargeback_reversed" });
  });
});

it("razorpay's refund of a payment that it never captured reports nothing", async () => {
  const paid = await newPayment("razorpay", "authorized");
  await moneyBack(paid, { source: "auto" });
  expect(received).toHaveLength(2);
  expect(await reported(paid)).toEqual([]);
});
