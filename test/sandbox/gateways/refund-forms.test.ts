import { expect, it } from "vitest";
import { gateways, useGateways } from "./harness.ts";
import { ledger, newPayment, type Paid, refund, setFaults } from "./payments.ts";

useGateways();

function pageOf({ kind, order }: Paid): string {
  return `${gateways.url}/pay/${kind}/${order}`;
}

/** What the page of a payment says, without tags. */
async function textOf(paid: Paid): Promise<string> {
  const html = await (await fetch(pageOf(paid))).text();
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

/** Presses a button of the page of a payment; gives the page again that it leads to. */
async function press(paid: Paid, path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields);
  const answer = await fetch(gateways.url + path, { method: "POST", body, redirect: "manual" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, new URL(pageOf(paid)).pathname]);
  return textOf(paid);
}

function ofPayment({ merchant, payment }: Paid): string {
  return `/pay/accounts/${merchant.account}/payments/${payment}`;
}

it("lets a person give a part back at the gateway, and the payer's bank take the rest and give it again", async () => {
  const paid = await newPayment("stripe");
  expect(await textOf(paid)).toContain(
    "of ₹100.00 that are left Refund it at the gateway The payer's bank takes it back",
  );
  const part = await press(paid, ofPayment(paid), { source: "console", amount: "30.25" });
  expect(part).toContain("Refund at the gateway: ₹30.25, succeeded Let it fail");
  const taken = await press(paid, ofPayment(paid), { source: "chargeback", amount: "69.75" });
  expect(taken).toContain("Chargeback: ₹69.75, succeeded Reverse it");
  expect(taken).not.toContain("that are left");
  const [, chargeback] = await ledger(paid);
  const reversed = await press(paid, `/pay/refunds/${chargeback?.id}`, { outcome: "reversed" });
  expect(reversed).toContain("Chargeback: ₹69.75, reversed");
  expect(reversed).toContain("of ₹69.75 that are left");
});

it("lets a person end a refund that is on its way, and let it fail late", async () => {
  const paid = await newPayment("razorpay");
  await setFaults(paid, { refund_pending: 1 });
  const { body } = await refund(paid);
  expect(await textOf(paid)).toContain("Refund through the API: ₹100.00, pending Let it succeed Let it fail");
  const path = `/pay/refunds/${body.id}`;
  expect(await press(paid, path, { outcome: "succeeded" })).toContain("₹100.00, succeeded Let it fail");
  expect(await press(paid, path, { outcome: "failed" })).toContain("₹100.00, failed");
});

it("refuses more than is left, and an amount that is none", async () => {
  const paid = await newPayment("paypal");
  const url = gateways.url + ofPayment(paid);
  for (const [amount, status] of [
    ["100.01", 409],
    ["0", 422],
    ["ten", 422],
  ] as const) {
    const body = new URLSearchParams({ source: "console", amount });
    expect((await fetch(url, { method: "POST", body, redirect: "manual" })).status).toBe(status);
  }
  expect(await ledger(paid)).toEqual([]);
});
