import { readKept, writeKept } from "../data-folder/kept-file.ts";
import type { Kind, Merchant } from "./merchants.ts";
import type { Entity } from "./orders.ts";

const DAY_MS = 86_400_000;

/**
 * How long a gateway knows an idempotency key, in real time: Stripe 24 hours (https://docs.stripe.com/api/idempotent_requests),
 * PayPal 45 days (its payments_payment_v2.json); Razorpay publishes no time.
 */
const WINDOW_MS: Record<Kind, number> = {
  stripe: DAY_MS,
  paypal: 45 * DAY_MS,
  razorpay: Number.POSITIVE_INFINITY,
};

/** What was asked with a key, and answered. */
type Known = { request: string; status: 200 | 201 | 400; answer: Entity; at: number };

/** The idempotency keys of refunds, kept as the refunds are. */
export class RefundKeys {
  readonly #known: Map<string, Known>;
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    this.#known = new Map(readKept<[string, Known][]>(file));
  }

  find({ kind, account }: Merchant, key: string | undefined): Known | undefined {
    const known = this.#known.get(`${account} ${key}`);
    return known !== undefined && Date.now() - known.at < WINDOW_MS[kind] ? known : undefined;
  }

  keep({ account }: Merchant, key: string | undefined, known: Omit<Known, "at">): void {
    if (key === undefined) return;
    this.#known.set(`${account} ${key}`, { ...known, at: Date.now() });
    writeKept(this.#file, [...this.#known]);
  }
}
