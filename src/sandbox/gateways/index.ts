import { Hono } from "hono";
import type { Fetch } from "../server/node-handler.ts";
import { Faults } from "./faults.ts";
import { DEMO_MERCHANTS, type Merchant, Merchants } from "./merchants.ts";
import { Orders } from "./orders.ts";
import { payPages } from "./pay.ts";
import { paypalApi } from "./paypal.ts";
import { paypalWriter } from "./paypal-refunds.ts";
import { signPaypal } from "./paypal-signature.ts";
import { razorpayApi, signRazorpay } from "./razorpay.ts";
import { razorpayWriter } from "./razorpay-refunds.ts";
import { awaitLateFailures } from "./refund-course.ts";
import { RefundKeys } from "./refund-keys.ts";
import { Refunds } from "./refunds.ts";
import type { StandInContext } from "./stand-in-context.ts";
import { signStripe, stripeApi } from "./stripe.ts";
import { stripeWriter } from "./stripe-refunds.ts";
import { UnacceptedEvents } from "./unaccepted-events.ts";
import { Webhooks } from "./webhooks.ts";

export type GatewayOptions = {
  /** Where a payer's browser finds the payment pages. */
  origin: string;
  /** The Worker's address, where webhooks go. */
  workerOrigin: string;
  /** The accounts known at first; those of the demo companies unless given. */
  merchants?: Merchant[];
  /** Where orders are kept between starts; accounts that were opened, refunds and their keys in files beside it. */
  file?: string;
  retryDelays?: number[];
  /** How long after the visit a delayed payment is made; 10 seconds unless given. */
  lateMs?: number;
};

export type Gateways = Pick<StandInContext, "merchants" | "faults" | "orders" | "refunds"> & {
  fetch: Fetch;
  stop(): void;
};

/** Local stand-ins for the three payment gateways: their APIs, their payment pages and their webhooks. */
export function createGateways({
  origin,
  file,
  merchants: known = DEMO_MERCHANTS,
  lateMs = 10_000,
  ...options
}: GatewayOptions): Gateways {
  const beside = (name: string) => file?.replace(/\.json$/, `-${name}.json`);
  const merchants = new Merchants(known, beside("accounts"));
  const orders = new Orders(file);
  const refunds = new Refunds(beside("refunds"));
  const keys = new RefundKeys(beside("refund-keys"));
  const faults = new Faults();
  const signers = { razorpay: signRazorpay, stripe: signStripe, paypal: signPaypal };
  const writers = { razorpay: razorpayWriter, stripe: stripeWriter, paypal: paypalWriter };
  const unaccepted = new UnacceptedEvents(beside("events"));
  const webhooks = new Webhooks({ ...options, lateMs, merchants, orders, faults, unaccepted, signers });
  const desk = { origin, lateMs, merchants, orders, refunds, keys, faults, webhooks, writers };
  const app = new Hono()
    .route("/razorpay", razorpayApi(desk))
    .route("/stripe", stripeApi(desk))
    .route("/paypal", paypalApi(desk))
    .route("/pay", payPages(desk));
  webhooks.sendAgain();
  awaitLateFailures(desk);
  return { merchants, orders, refunds, faults, fetch: app.fetch, stop: () => webhooks.stop() };
}

/** What points a Worker at the stand-ins of an address. */
export function gatewayVariables(url: string) {
  return {
    RAZORPAY_API_BASE: `${url}/razorpay`,
    STRIPE_API_BASE: `${url}/stripe`,
    PAYPAL_API_BASE: `${url}/paypal`,
  };
}
