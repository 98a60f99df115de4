import { createHmac } from "node:crypto";
import { numbered } from "../numbered.ts";
import type { Company, Scenario } from "../scenarios.ts";
import { GATEWAY } from "../setup/company.ts";

/** A request as it goes out. */
export type Call = { method: string; path: string; headers: Record<string, string>; body: string };
/** One of the most frequent writes: what each of its calls needs first, and the call itself. */
export type Write = {
  name: string;
  /** A call that has to come before; its reply goes to `call`. */
  first?: (number: number) => Call;
  call: (number: number, reply: unknown) => Call;
};

const LIKE_SCENARIOS = [
  "checkout",
  "booking create",
  "invoice create",
  "payment record",
  "event-bearing write",
  "lead capture",
  "SMS send",
];

/** The ten writes of which a company makes most. */
export function writesOf(company: Company, scenarios: readonly Scenario[]): Write[] {
  const callOf = (name: string) => {
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
    return (number: number) => scenarioCall(company, scenario, number);
  };
  const like = LIKE_SCENARIOS.map((name) => ({
    name: name === "event-bearing write" ? "customer create" : name,
    call: callOf(name),
  }));
  return [
    ...like,
    { name: "order paid", first: callOf("checkout"), call: (_, reply) => paid(company, reply) },
    {
      name: "booking confirm",
      first: callOf("booking create"),
      call: (_, reply) =>
        patch(company, `/v1/settings/${company.slug}/bookings/${bookingIn(reply)}`, { status: "confirmed" }),
    },
    {
      name: "product update",
      call: (number) =>
        patch(company, `/v1/products/${company.slug}/${company.productId}`, { selling_price: 300 + number }),
    },
  ];
}

function scenarioCall({ credentials }: Company, { method, path, body }: Scenario, number: number): Call {
  return {
    method,
    path: numbered(path, number),
    headers: { ...credentials, "Content-Type": "application/json" },
    body: numbered(JSON.stringify(body), number),
  };
}

function patch({ credentials }: Company, path: string, body: object): Call {
  const headers = { ...credentials, "Content-Type": "application/json" };
  return { method: "PATCH", path, headers, body: JSON.stringify(body) };
}

function bookingIn(reply: unknown): string {
  return /"(bkg_\w+)"/.exec(JSON.stringify(reply))?.[1] ?? "";
}

/** The gateway's event that an order was paid, signed. */
function paid({ slug }: Company, reply: unknown): Call {
  const { payment_data: data } = reply as { payment_data: { gateway_order_id: string; amount: number } };
  const { gateway_order_id: id, amount } = data;
  const order = {
    id,
    entity: "order",
    amount,
    amount_paid: amount,
    amount_due: 0,
    currency: "INR",
    notes: [],
  };
  const payment = {
    ...{ id: `pay_${id}`, entity: "payment", amount, currency: "INR", status: "captured", order_id: id },
    ...{ captured: true, notes: [] },
  };
  const body = JSON.stringify({
    entity: "event",
    event: "order.paid",
    payload: { payment: { entity: payment }, order: { entity: order } },
    created_at: Math.floor(Date.now() / 1_000),
  });
  const signature = createHmac("sha256", GATEWAY.webhook_secret).update(body).digest("hex");
  return {
    method: "POST",
    path: `/api/v1/storefront/${slug}/webhook/razorpay`,
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": signature,
      "X-Razorpay-Event-Id": `evt_${id}`,
    },
    body,
  };
}
