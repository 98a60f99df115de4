import { createHmac, randomBytes } from "node:crypto";
import { REGISTERED } from "../features/commerce.ts";
import { openSchool, type School, setRules } from "../features/school.ts";
import {
  CHECKOUT,
  type Connected,
  connectGateway,
  gatewayFaults,
  type Kind,
  play,
} from "../support/gateways.ts";
import type { ServiceAddress } from "../support/http.ts";
import { openBooks } from "./books.ts";
import { until, World } from "./world.ts";

const CURRENCIES: Record<Kind, string> = { razorpay: "INR", stripe: "EUR", paypal: "USD" };
export const KINDS = Object.keys(CURRENCIES) as Kind[];

type Payment = { id: string; amount: number; captured: boolean; entity: string };
/** Money that went back, as the stand-in of a gateway keeps it. */
type Back = {
  id: string;
  payment_id: string;
  amount: number;
  key: string | null;
  source: "api" | "console" | "chargeback";
  state: "pending" | "succeeded" | "failed" | "reversed";
};

/** A school that is also a shop and sends invoices, with accounts at the stand-ins of gateways, which keep ledgers of their own. */
export class Shop extends World {
  readonly school: School;
  /** What was opened at Razorpay. */
  readonly orders: string[] = [];
  /** How many lessons were asked for: each has a time of its own. */
  slots = 0;
  readonly #gateways: Map<Kind, Connected>;
  /** What Razorpay took for nothing that was asked. */
  readonly #strays = new Map<string, number>();

  private constructor(school: School, gateways: Map<Kind, Connected>, seed: number) {
    super(school.company, seed);
    this.school = school;
    this.#gateways = gateways;
  }

  static async open(service: ServiceAddress, seed: number, kinds: readonly Kind[]): Promise<Shop> {
    const school = await openSchool(REGISTERED, { service });
    await setRules(school.company, { advance_days: 365 });
    const gateways = new Map<Kind, Connected>();
    for (const kind of kinds)
      gateways.set(kind, await connectGateway(school.company, kind, { currencies: [CURRENCIES[kind]] }));
    const shop = new Shop(school, gateways, seed);
    await openBooks(shop);
    return shop;
  }

  opened(order: unknown): void {
    if (typeof order === "string" && !this.orders.includes(order)) this.orders.push(order);
  }

  account(kind: unknown): string | undefined {
    return this.#gateways.get(kind as Kind)?.merchant.account;
  }

  async setFaults(rates: Record<string, number>): Promise<void> {
    for (const [kind, gateway] of this.#gateways) {
      // It has no word for a refund that fails after it was made.
      const own = kind === "paypal" ? { refund_fails_late: 0 } : {};
      await gatewayFaults(this.company, gateway, { ...rates, ...own });
    }
  }

  /** Sells what is paid twice: the first payment is invoiced, the second one waits in Customer Advances. */
  async sellTwice(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const kind = KINDS[index % KINDS.length] as Kind;
      const { status, body } = await this.ask(
        checkout(CURRENCIES[kind], this.draw().from(100, 1_000), "meera"),
      );
      if (status !== 200) throw new Error(`The checkout answered ${status}`);
      await play(this.company, kind, String(orderOf(body)), "twice");
    }
  }

  /** What Razorpay says that it took for the company's orders, by its own ledger. */
  async taken(): Promise<Map<string, number>> {
    return new Map((await this.#payments()).map(({ id, amount }) => [id, amount] as const));
  }

  /** What it took for no order of the company's, of another shop with the account. */
  get strays(): ReadonlyMap<string, number> {
    return this.#strays;
  }

  /** Sends again what Razorpay took, as it does for a day while its events are not accepted. */
  async sendAgain(): Promise<void> {
    for (const payment of await this.#payments()) await this.#deliver(payment);
  }

  async takeForNothing(amount: number): Promise<void> {
    const id = `pay_${randomBytes(7).toString("hex")}`;
    this.#strays.set(id, amount);
    await this.#deliver({ id, amount, captured: true, entity: "payment" });
  }

  /** What went back, by the gateways' own ledgers. */
  async back(): Promise<Back[]> {
    const accounts = [...this.#gateways.values()].map(({ merchant }) => merchant.account);
    const ledgers = await Promise.all(
      accounts.map((account) => until(() => this.desk<Back[]>(`/refunds/${account}`))),
    );
    return ledgers.flat();
  }

  /** Asks the stand-in of a gateway for what happens there. */
  async desk<Answered>(path: string, body?: object): Promise<Answered> {
    const sent = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${this.company.gatewaysUrl}/pay${path}`, body === undefined ? {} : sent);
    if (!response.ok) throw new Error(await response.text());
    return response.json() as Promise<Answered>;
  }

  async #payments(): Promise<Payment[]> {
    const { account, secret } = this.#razorpay();
    const headers = { Authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString("base64")}` };
    const lists = await Promise.all(
      this.orders.map(async (order) => {
        const url = `${this.company.gatewaysUrl}/razorpay/v1/orders/${order}/payments`;
        return ((await (await fetch(url, { headers })).json()) as { items: Payment[] }).items;
      }),
    );
    return lists.flat().filter(({ captured }) => captured);
  }

  async #deliver(payment: Payment): Promise<void> {
    const { webhook_secret: secret, webhook_url: url } = this.#razorpay();
    const entity = { status: "captured", currency: "INR", notes: [], ...payment };
    const body = JSON.stringify({
      event: "payment.captured",
      created_at: 1,
      payload: { payment: { entity } },
    });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "X-Razorpay-Signature": signature, "x-razorpay-event-id": `again_${payment.id}` };
    await until(
      async () => (await fetch(String(url), { method: "POST", headers, body })).status < 500 || undefined,
    );
  }

  #razorpay() {
    const merchant = this.#gateways.get("razorpay")?.merchant;
    if (merchant === undefined) throw new Error("The shop has no account at Razorpay");
    return merchant;
  }
}

/** A checkout of one gift card. */
export function checkout(currency: string, unit_price: number, name: string) {
  const place = { state: "Karnataka", pincode: "560001", country: "IN" };
  const body = {
    ...CHECKOUT,
    customer: { name, email: `${name}@example.com`, ...place },
    items: [{ name: "Gift card", quantity: 1, unit_price }],
    currency,
  };
  return { path: "/storefront/:company/checkout", body };
}

/** The gateway's id of the payment that an answer says was opened. */
export function orderOf(body: object): unknown {
  const { payment_data, payment } = body as { payment_data?: Opened; payment?: { payment_data?: Opened } };
  return (payment?.payment_data ?? payment_data)?.gateway_order_id;
}

type Opened = { gateway_order_id?: string } | null;
