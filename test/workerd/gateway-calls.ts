import { afterEach, beforeEach, vi } from "vitest";
import { GATEWAYS, type GatewayAccount, type Payable } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";

type Asked = {
  path: string;
  query: string;
  headers: Headers;
  body: string;
  redirect: RequestInit["redirect"];
  timed: boolean;
};

type Answer = Response | Error;

const ACCOUNTS: Record<GatewayKind, GatewayAccount["credentials"]> = {
  razorpay: { key_id: "rzp_test_demo", key_secret: "demo" },
  stripe: { secret_key: "sk_test_demo", publishable_key: "pk_test_demo" },
  paypal: { client_id: "demo", client_secret: "demo", webhook_id: "WEBHOOK" },
};

export const accountAt = (kind: GatewayKind): GatewayAccount => ({
  mode: "test",
  credentials: ACCOUNTS[kind],
  address: "https://gateway.example",
});

export const payable: Payable = {
  reference: "01KAJ7Q3M8Z5T1V9B2C4D6F8GH",
  company: "asha-traders",
  companyName: "Asha Traders",
  kind: "order",
  receipt: "01KAJ7Q3M8Z5T1V9B2C4D6F8GH",
  description: "Asha Traders",
  amount: 35_405,
  currency: "USD",
  returnUrl: "https://shop.example.com/thanks?a=1&b=2",
  cancelUrl: "https://shop.example.com/basket",
  returnsTo: "digest",
  customer: { name: "Zoë", email: "zoe@example.com", phone: null },
};

export const intent = { id: 7, gatewayOrderId: "ORDER", amount: 35_405, currency: "USD" };

export const OPENED: Record<GatewayKind, object> = {
  razorpay: { id: "order_1", amount: 35_405, currency: "USD" },
  stripe: { id: "cs_1", url: "https://pay.example/cs_1", amount_total: 35_405 },
  paypal: { id: "ORDER", links: [{ rel: "payer-action", href: "https://pay.example/ORDER" }] },
};

export const NO_SIGN_IN = { error: "invalid_token" };
export const asked: Asked[] = [];
export let tokens = 0;

/** Lets the gateway answer one request after the other, the last answer for ever. */
export function answerWith(...answers: Answer[]): void {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (url.endsWith("/v1/oauth2/token")) {
      tokens += 1;
      return Response.json({ access_token: `token-${tokens}`, expires_in: 3_600 });
    }
    asked.push({
      path: new URL(url).pathname,
      query: new URL(url).search,
      headers: new Headers(init.headers),
      body: String(init.body),
      redirect: init.redirect,
      timed: init.signal instanceof AbortSignal,
    });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer?.clone();
  });
}

export async function open(kind: GatewayKind) {
  const opened = await GATEWAYS[kind].open(accountAt(kind), payable);
  return { ...opened, paymentData: GATEWAYS[kind].paymentData(accountAt(kind), payable, opened) };
}

/** Lets a file's tests speak to a gateway of their own, each from its first request on. */
export function useGateway(): void {
  beforeEach(forget);
  afterEach(() => {
    vi.unstubAllGlobals();
  });
}

export function forget(): void {
  asked.length = 0;
}
