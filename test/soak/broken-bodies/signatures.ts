import { createHmac } from "node:crypto";
import type { CONFIGS } from "../../features/messaging/provider.ts";
import type { Connected } from "../../support/gateways.ts";
import type { Bytes } from "./broken-bodies.ts";

export type ProviderKind = keyof typeof CONFIGS;
type Sign = (config: Record<string, unknown>, body: Bytes) => Record<string, string>;

const now = () => Math.floor(Date.now() / 1_000);

/** The HMAC of the parts by SHA-256. */
export const hmac = (secret: string | Buffer, ...parts: (string | Bytes)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHmac("sha256", secret));

/** The headers with which each gateway says that the bytes are its own. */
export const BY_GATEWAY = {
  razorpay: ({ merchant }: Connected, body: Bytes) => ({
    "X-Razorpay-Signature": hmac(merchant.webhook_secret, body).digest("hex"),
  }),
  stripe: ({ merchant }: Connected, body: Bytes) => {
    const time = now();
    const signature = hmac(merchant.webhook_secret, `${time}.`, body).digest("hex");
    return { "Stripe-Signature": `t=${time},v1=${signature}` };
  },
  paypal: () => ({
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    "PAYPAL-CERT-URL": "https://api.paypal.com/cert",
    "PAYPAL-TRANSMISSION-ID": "1",
    "PAYPAL-TRANSMISSION-SIG": "x",
    "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
  }),
};

/** The same of the message providers that sign with a secret of the company. */
export const BY_PROVIDER: Partial<Record<ProviderKind, Sign>> = {
  twilio: () => ({ "X-Twilio-Signature": "AAAA" }),
  resend: ({ webhook_secret }, body) => {
    const secret = Buffer.from(String(webhook_secret).slice("whsec_".length), "base64");
    const time = String(now());
    const signature = hmac(secret, `evt.${time}.`, body).digest("base64");
    return { "svix-id": "evt", "svix-timestamp": time, "svix-signature": `v1,${signature}` };
  },
};
