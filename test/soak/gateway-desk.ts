import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestCompany } from "../support/company.ts";
import type { Connected } from "../support/gateways.ts";

type Payment = { id: string; amount: number; captured: boolean; entity: string };
const PAUSE_MS = 200;

/** Numbers from a seed, so that a failing run can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Asks until there is an answer that is none of a fault. */
export async function until<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined && !(typeof found === "number" && found >= 500)) return found;
    await sleep(PAUSE_MS);
  }
}

/** A company's account at the stand-in of Razorpay, with the ledger that the stand-in keeps. */
export class GatewayDesk {
  readonly orders: string[] = [];
  /** What it took for nothing that was asked. */
  readonly #strays = new Map<string, number>();
  readonly #company: TestCompany;
  readonly #gateway: Connected;

  constructor(company: TestCompany, gateway: Connected) {
    this.#company = company;
    this.#gateway = gateway;
  }

  /** What the gateway says that it took, by its own ledger. */
  async ledger(): Promise<Map<string, number>> {
    const taken = new Map(this.#strays);
    const payments = await Promise.all(this.orders.map((order) => this.#paymentsOf(order)));
    for (const { id, amount } of payments.flat()) taken.set(id, amount);
    return taken;
  }

  /** Sends again what the gateway took, as it does for a day while its events are not accepted. */
  async sendAgain(): Promise<void> {
    for (const order of this.orders)
      for (const payment of await this.#paymentsOf(order)) await this.#deliver(payment);
  }

  async takeForNothing(amount: number): Promise<void> {
    const id = `pay_${randomBytes(7).toString("hex")}`;
    this.#strays.set(id, amount);
    await this.#deliver({ id, amount, captured: true, entity: "payment" });
  }

  async #paymentsOf(order: string): Promise<Payment[]> {
    const { account, secret } = this.#gateway.merchant;
    const headers = { Authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString("base64")}` };
    const url = `${this.#company.gatewaysUrl}/razorpay/v1/orders/${order}/payments`;
    const { items } = (await (await fetch(url, { headers })).json()) as { items: Payment[] };
    return items.filter(({ captured }) => captured);
  }

  async #deliver(payment: Payment): Promise<void> {
    const entity = { status: "captured", currency: "INR", notes: [], ...payment };
    const event = { event: "payment.captured", created_at: 1, payload: { payment: { entity } } };
    const body = JSON.stringify(event);
    const signature = createHmac("sha256", this.#gateway.merchant.webhook_secret).update(body).digest("hex");
    const headers = { "X-Razorpay-Signature": signature, "x-razorpay-event-id": `again_${payment.id}` };
    const url = String(this.#gateway.merchant.webhook_url);
    await until(async () => (await fetch(url, { method: "POST", headers, body })).status);
  }
}
