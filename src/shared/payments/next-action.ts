import * as z from "zod";
import type { GatewayKind } from "./gateways.ts";

const GATEWAY_ORDER = z.string().meta({ description: "The gateway's own id of what is to be paid." });
const MINOR_UNITS = z.int().meta({ description: "In the currency's smallest unit, such as paise." });
const CURRENCY = z.string().meta({ description: "An ISO 4217 code." });

const Prefill = z
  .object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    contact: z.string().nullable().meta({ description: "The payer's phone number." }),
  })
  .meta({ description: "What the form is filled with." });

const ofRazorpay = {
  amount: MINOR_UNITS,
  currency: CURRENCY,
  name: z.string().meta({ description: "The company, as the payer reads it." }),
  prefill: Prefill,
};

const RazorpayData = z
  .object({
    gateway: z.literal("razorpay"),
    key_id: z.string().meta({ description: "The company's public key at Razorpay." }),
    razorpay_order_id: GATEWAY_ORDER,
    ...ofRazorpay,
    gateway_order_id: GATEWAY_ORDER,
  })
  .meta({ id: "RazorpayPaymentData" });
const StripeData = z
  .object({
    gateway: z.literal("stripe"),
    session_id: GATEWAY_ORDER,
    checkout_url: z.string().meta({ description: "Stripe's page for this payment." }),
    publishable_key: z.string().meta({ description: "The company's public key at Stripe." }),
    gateway_order_id: GATEWAY_ORDER,
  })
  .meta({ id: "StripePaymentData" });
const PaypalData = z
  .object({
    gateway: z.literal("paypal"),
    paypal_order_id: GATEWAY_ORDER,
    approve_url: z.string().meta({ description: "PayPal's page for this payment." }),
    client_id: z.string().meta({ description: "The company's public key at PayPal." }),
    currency: CURRENCY,
    gateway_order_id: GATEWAY_ORDER,
  })
  .meta({ id: "PaypalPaymentData" });

/** What a gateway's own script or page takes, by the gateway. */
export const PaymentData = z
  .discriminatedUnion("gateway", [RazorpayData, StripeData, PaypalData])
  .meta({ id: "PaymentData" });
export type PaymentData = z.infer<typeof PaymentData>;

const Redirect = z
  .object({
    type: z.literal("redirect"),
    url: z.string().meta({ description: "Send the payer to this address." }),
  })
  .meta({ id: "RedirectAction" });
const RazorpayCheckout = z
  .object({
    type: z.literal("razorpay_checkout"),
    script: z.string().meta({ description: "The address of Razorpay's checkout.js." }),
    options: z
      .object({
        key: z.string().meta({ description: "The company's public key at Razorpay." }),
        order_id: GATEWAY_ORDER,
        ...ofRazorpay,
      })
      .meta({ description: "Give them to `new Razorpay(options)` of `script`." }),
  })
  .meta({ id: "RazorpayCheckoutAction" });

/** What the shop or page does next so that its payer pays; the same members for every gateway. */
export const NextAction = z
  .discriminatedUnion("type", [Redirect, RazorpayCheckout])
  .nullable()
  .meta({ description: "What to do next, whichever the gateway. Null when there is nothing to pay." });
export type NextAction = z.infer<typeof NextAction>;

/** A payment that its gateway has opened. */
type Opened = {
  gateway: GatewayKind;
  paymentUrl: string | null;
  paymentData: Readonly<Record<string, unknown>>;
};

/** The gateway's data as replies have it. */
export function paymentDataOf({ gateway, paymentData }: Opened): PaymentData {
  return { gateway, ...paymentData } as unknown as PaymentData;
}

/** What its payer is led to: the gateway's page, or the form of its `script`. */
export function nextActionOf(opened: Opened, script: string): NextAction {
  if (opened.paymentUrl !== null) return { type: "redirect", url: opened.paymentUrl };
  const data = paymentDataOf(opened);
  if (data.gateway !== "razorpay") return null;
  const { key_id: key, gateway_order_id: order_id, amount, currency, name, prefill } = data;
  return { type: "razorpay_checkout", script, options: { key, order_id, amount, currency, name, prefill } };
}
