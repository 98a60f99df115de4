import { randomInt } from "node:crypto";
import type { Faults } from "./faults.ts";
import type { Kind, Merchants } from "./merchants.ts";
import type { Orders } from "./orders.ts";
import type { RefundKeys } from "./refund-keys.ts";
import type { RefundWriter } from "./refund-writer.ts";
import type { Refunds } from "./refunds.ts";
import type { Webhooks } from "./webhooks.ts";

/** What the three stand-ins share. */
export type StandInContext = {
  /** Where a payer's browser finds the payment pages. */
  origin: string;
  /** How long after the visit a delayed payment is made. */
  lateMs: number;
  merchants: Merchants;
  orders: Orders;
  refunds: Refunds;
  keys: RefundKeys;
  faults: Faults;
  webhooks: Webhooks;
  writers: Record<Kind, RefundWriter>;
};

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** An id in the manner of Razorpay and Stripe: letters of both cases and digits. */
export function mixedId(prefix: string, length: number): string {
  return prefix + randomText(BASE62, length);
}

/** An id in the manner of PayPal: capitals and digits. */
export function capitalId(length: number): string {
  return randomText(BASE62.slice(0, 36), length);
}

/** The user and password of a Basic authorization. */
export function basicCredentials(header: string | undefined): [user: string, password: string] {
  const [, encoded = ""] = /^Basic (\S+)$/.exec(header ?? "") ?? [];
  const [user = "", password = ""] = Buffer.from(encoded, "base64").toString().split(":");
  return [user, password];
}

/** The token of a Bearer authorization. */
export function bearerToken(header: string | undefined): string {
  const [, token = ""] = /^Bearer (\S+)$/.exec(header ?? "") ?? [];
  return token;
}

/** Unix time in whole seconds. */
export function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
