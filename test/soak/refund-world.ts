import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { REGISTERED, rowsOf } from "../features/commerce.ts";
import { gatewayOrderOf, postCheckout } from "../features/storefront/shop.ts";
import { openCompany, type TestCompany } from "../support/company.ts";
import { type Connected, connectGateway, gatewayFaults, type Kind, play } from "../support/gateways.ts";
import type { Answer, ServiceAddress } from "../support/http.ts";
import { randomFrom, until } from "./gateway-desk.ts";

const CURRENCIES: Record<Kind, string> = { razorpay: "INR", stripe: "EUR", paypal: "USD" };
const KINDS = Object.keys(CURRENCIES) as Kind[];

/** Money that went back, as the stand-in of a gateway keeps it. */
export type Back = {
  id: string;
  payment_id: string;
  amount: number;
  key: string | null;
  source: "api" | "console" | "chargeback";
  state: "pending" | "succeeded" | "failed" | "reversed";
};

/** A shop with an account at each gateway, whose orders were paid twice, and what gives that money back. */
export class RefundWorld {
  readonly counts = new Map<string, number>();
  readonly company: TestCompany;
  readonly #gateways: Record<Kind, Connected>;
  readonly #random: (below: number) => number;

  private constructor(company: TestCompany, gateways: Record<Kind, Connected>, seed: number) {
    this.company = company;
    this.#gateways = gateways;
    this.#random = randomFrom(seed);
  }

  static async open(service: ServiceAddress, seed: number): Promise<RefundWorld> {
    const company = await openCompany(REGISTERED, service);
    await company.raiseLimit();
    const connect = (kind: Kind) => connectGateway(company, kind, { currencies: [CURRENCIES[kind]] });
    const [razorpay, stripe, paypal] = [
      await connect("razorpay"),
      await connect("stripe"),
      await connect("paypal"),
    ];
    return new RefundWorld(company, { razorpay, stripe, paypal }, seed);
  }

  /** Orders that are paid twice: the first payment is invoiced, the second one waits in Customer Advances. */
  async sell(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const kind = KINDS[index % KINDS.length] ?? "razorpay";
      const items = [{ name: "Gift card", quantity: 1, unit_price: 100 + this.#random(900) }];
      const { status, body } = await postCheckout(this.company, { currency: CURRENCIES[kind], items });
      expect(status).toBe(200);
      await play(this.company, kind, gatewayOrderOf(body), "twice");
    }
  }

  async setFaults(rates: Record<string, number>): Promise<void> {
    const { paypal, ...others } = this.#gateways;
    for (const gateway of Object.values(others)) await gatewayFaults(this.company, gateway, rates);
    // It has no word for a refund that fails after it was made.
    await gatewayFaults(this.company, paypal, { ...rates, refund_fails_late: 0 });
  }

  /** One call of the staff, or what a gateway does by itself. */
  async act(): Promise<void> {
    const moves: [weight: number, name: string, move: () => Promise<unknown>][] = [
      [9, "advance", () => this.#refundAdvance()],
      [9, "credit note", () => this.#refundCredit()],
      [3, "again", () => this.#retry()],
      [2, "console", () => this.#atGateway("console")],
      [1, "chargeback", () => this.#atGateway("chargeback")],
      [2, "end", () => this.#endOne()],
      [1, "forged", () => this.#forge()],
    ];
    const drawn = moves.flatMap((move) => Array.from({ length: move[0] }, () => move));
    const [, name, move] = drawn[this.#random(drawn.length)] ?? [];
    if (name === undefined || move === undefined) return;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    await move();
  }

  /** The gateways' own ledgers. */
  async ledger(): Promise<Back[]> {
    const accounts = Object.values(this.#gateways).map(({ merchant }) => merchant.account);
    const ledgers = await Promise.all(
      accounts.map((account) => until(() => this.#desk<Back[]>(`/refunds/${account}`))),
    );
    return ledgers.flat();
  }

  /** Ends at the gateways all that is on its way there. */
  async endAll(): Promise<void> {
    for (const back of await this.ledger()) if (back.state === "pending") await this.#end(back);
  }

  async #refundAdvance() {
    const one = await this.#one("gateway_captures WHERE advance_amount > 0");
    if (one === undefined) return;
    const amount = this.#random(2) === 0 ? undefined : this.#part(Number(one.advance_amount));
    await this.#post("/refunds/:company", { capture_id: one.id, amount, reason: "duplicate_payment" });
  }

  async #refundCredit() {
    const invoice = await this.#one("invoices WHERE amount_paid > 0 AND amount_credited < total_amount");
    if (invoice === undefined) return;
    const amount = this.#part(Number(invoice.taxable_total));
    const [item] = await this.#rows("SELECT id FROM invoice_items WHERE invoice_id = ?", Number(invoice.id));
    const body = { reason: "sales_return", items: [{ invoice_item_id: item?.id, amount }] };
    const issued = await this.#post(`/invoices/:company/${invoice.id}/credit-notes`, body);
    if (issued.status !== 201) return;
    const note = issued.body.data.id;
    await this.#post("/refunds/:company", { credit_note_id: note, reason: "sales_return" });
  }

  async #retry() {
    const one = await this.#one(
      "gateway_refunds WHERE status = 'failed' AND source = 'api' AND id NOT IN (SELECT retry_of FROM gateway_refunds WHERE retry_of IS NOT NULL)",
    );
    if (one !== undefined) await this.#post(`/refunds/:company/${one.id}/retry`);
  }

  async #atGateway(source: "console" | "chargeback") {
    const one = await this.#one("gateway_captures WHERE refunded_amount < amount");
    if (one === undefined) return;
    const { account } = this.#gateways[one.gateway as Kind].merchant;
    const amount = 1 + this.#random(Number(one.amount));
    const path = `/accounts/${account}/payments/${one.gateway_payment_id}`;
    await this.#desk(path, { source, amount }).catch(() => undefined);
  }

  async #endOne() {
    const pending = (await this.ledger()).filter(({ state }) => state === "pending");
    const one = pending[this.#random(pending.length || 1)];
    if (one !== undefined) await this.#end(one);
  }

  async #end({ id }: Back) {
    const outcome = this.#random(4) === 0 ? "failed" : "succeeded";
    await this.#desk(`/refunds/${id}`, { outcome }).catch(() => undefined);
  }

  /** An event that no gateway signed. */
  async #forge() {
    const one = await this.#one("gateway_captures");
    const entity = { id: `rfnd_${randomUUID()}`, payment_id: one?.gateway_payment_id, amount: 100 };
    const refund = { entity: { ...entity, currency: "INR", status: "processed" } };
    const body = { event: "refund.processed", payload: { refund } };
    const path = "/storefront/:company/webhook/razorpay";
    const headers = { "X-Razorpay-Signature": "0".repeat(64), "x-razorpay-event-id": randomUUID() };
    const answer = await until(async () => {
      const answered = await this.company.call("POST", path, { key: null, body, headers });
      return answered.status === 503 ? undefined : answered;
    });
    expect(answer.status).toBe(400);
  }

  /** A part of an amount in minor units, as an amount of the API. */
  #part(most: number): number {
    return (1 + this.#random(most)) / 100;
  }

  async #one(from: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.#rows(`SELECT * FROM ${from} ORDER BY random() LIMIT ?`, 1);
    return row;
  }

  #rows(statement: string, value: string | number) {
    return until(() => rowsOf(this.company, statement, [value]));
  }

  async #desk<Answered>(path: string, body?: object): Promise<Answered> {
    const response = await fetch(`${this.company.gatewaysUrl}/pay${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json() as Promise<Answered>;
  }

  /** A call that is sent again under its key until it is answered, and never with a 500. */
  async #post(path: string, body?: object): Promise<Answer<Record<string, unknown>>> {
    const headers = { "Idempotency-Key": randomUUID() };
    const answer = await until(async () => {
      const answered = await this.company.call("POST", path, { body, headers });
      return answered.status === 503 || answered.status === 429 ? undefined : answered;
    });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    return answer as Answer<Record<string, unknown>>;
  }
}
