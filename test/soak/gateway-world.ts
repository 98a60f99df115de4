import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { line, newCustomer, REGISTERED, rowsOf } from "../features/commerce.ts";
import { today } from "../features/money.ts";
import { daysAhead, openSchool, type School, setRules } from "../features/school.ts";
import { connectGateway, play } from "../support/gateways.ts";
import { type Answer, randomAddress, type ServiceAddress } from "../support/http.ts";
import { GatewayDesk, randomFrom, until } from "./gateway-desk.ts";

const HOURS = 7;
const OUTCOMES = [
  "paid",
  "paid",
  "paid",
  "paid",
  "wrong_amount",
  "wrong_amount",
  "twice",
  "twice",
  "failed",
] as const;
const BANK = 2;

/** A school that is also a shop and sends invoices, its buyers, and what they do at its gateway. */
export class GatewayWorld {
  readonly counts = new Map<string, number>();
  readonly #school: School;
  readonly desk: GatewayDesk;
  readonly #customer: string;
  readonly #random: (below: number) => number;
  readonly #invoices: string[] = [];
  readonly #bookings: string[] = [];
  #slots = 0;

  private constructor(school: School, desk: GatewayDesk, customer: string, seed: number) {
    this.#school = school;
    this.desk = desk;
    this.#customer = customer;
    this.#random = randomFrom(seed);
  }

  static async open(service: ServiceAddress, seed: number): Promise<GatewayWorld> {
    const school = await openSchool(REGISTERED, { service });
    await school.company.raiseLimit();
    await setRules(school.company, { advance_days: 365 });
    const gateway = await connectGateway(school.company, "razorpay", { currencies: ["INR"] });
    return new GatewayWorld(
      school,
      new GatewayDesk(school.company, gateway),
      (await newCustomer(school.company)).id,
      seed,
    );
  }

  get company() {
    return this.#school.company;
  }

  /** One call of a user, a payer or the staff. */
  async act(): Promise<void> {
    const moves: [weight: number, name: string, move: () => Promise<unknown>][] = [
      [14, "checkout", () => this.#checkout()],
      [8, "booking", () => this.#book()],
      [12, "invoice", () => this.#invoice()],
      [14, "pay now", () => this.#press()],
      [30, "payer", () => this.#pay()],
      [6, "by hand", () => this.#payByHand()],
      [3, "void", () => this.#onInvoice((id) => this.#post(`/invoices/:company/${id}/void`))],
      [3, "taken back", () => this.#takeBack()],
      [3, "given up", () => this.#giveUp()],
      [7, "settle", () => this.#settle()],
      [5, "dismiss", () => this.#dismiss()],
      [3, "booking ended", () => this.#endBooking()],
      [2, "stray", () => this.#stray()],
    ];
    const drawn = moves.flatMap((move) => Array.from({ length: move[0] }, () => move));
    const [, name, move] = drawn[this.#random(drawn.length)] ?? [];
    if (name === undefined || move === undefined) return;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    await move();
  }

  async #checkout() {
    const body = {
      customer: {
        name: "Meera",
        email: `m${this.#random(40)}@example.com`,
        state: "Karnataka",
        pincode: "560001",
        country: "IN",
      },
      items: [{ name: "Gift card", quantity: 1, unit_price: 1 + this.#random(50_000) / 100 }],
      ...{ currency: "INR", source_website: "shop.example.com" },
      ...{ return_url: "https://shop.example.com/", cancel_url: "https://shop.example.com/" },
    };
    const { status, body: placed } = await this.#post("/storefront/:company/checkout", body);
    if (status === 200) this.#remember((placed as unknown as Opening).payment_data?.gateway_order_id);
  }

  async #book() {
    const slot = this.#slots++;
    const body = {
      customer: { name: "Mia", email: `mia${slot}@example.com`, phone: `+9198765${String(10_000 + slot)}` },
      ...{ instructor_id: this.#school.instructorId, product_id: this.#school.courseId },
      ...{
        booking_date: daysAhead(2 + Math.floor(slot / HOURS)),
        start_time: `${String(9 + (slot % HOURS)).padStart(2, "0")}:00`,
      },
      ...{ return_url: "https://book.example.com/", cancel_url: "https://book.example.com/" },
    };
    const answer = await this.#post("/schools/:company/bookings", body);
    if (answer.status !== 201) return;
    const { booking, payment } = answer.body as unknown as { booking: { id: string }; payment: Opening };
    this.#bookings.push(booking.id);
    this.#remember(payment.payment_data?.gateway_order_id);
  }

  async #invoice() {
    const items = [{ ...line, quantity: 1 + this.#random(9) }];
    const answer = await this.#post("/invoices/:company", { customer_id: this.#customer, items });
    if (answer.status === 201) this.#invoices.push(String(answer.body.data.id));
  }

  async #press() {
    await this.#onInvoice(async (id) => {
      const [row] = await this.#rows("SELECT public_token FROM invoices WHERE id = ?", id);
      const url = `${this.company.url}/i/${this.company.slug}/${row?.public_token}/pay`;
      const body = new URLSearchParams({ once: randomUUID() });
      const headers = { "CF-Connecting-IP": randomAddress() };
      await until(
        async () => (await fetch(url, { method: "POST", redirect: "manual", headers, body })).status,
      );
      const intents = "SELECT gateway_order_id FROM payment_intents WHERE kind = 'invoice' AND ref_id = ?";
      for (const { gateway_order_id } of await this.#rows(intents, id)) this.#remember(gateway_order_id);
    });
  }

  /** A payer goes to the gateway: most often of what was opened last, now and then of what is long open. */
  async #pay() {
    const recent = this.#random(3) > 0 ? Math.min(12, this.desk.orders.length) : this.desk.orders.length;
    const order = this.desk.orders[this.desk.orders.length - 1 - this.#random(recent || 1)];
    if (order === undefined) return;
    const outcome = OUTCOMES[this.#random(OUTCOMES.length)] ?? "paid";
    // One that is paid takes no more.
    await play(this.company, "razorpay", order, outcome).catch(() => undefined);
  }

  async #payByHand() {
    await this.#onInvoice((id) => {
      const amount = (1 + this.#random(40_000)) / 100;
      const body = { invoice_id: id, amount, payment_date: today(), payment_mode_id: BANK };
      return this.#post("/payments/:company", body);
    });
  }

  async #takeBack() {
    const [row] = await this.#rows(
      "SELECT id FROM payments WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?",
      this.#random(10),
    );
    if (row !== undefined) await this.#post(`/payments/:company/${row.id}/refund`);
  }

  /** A day has passed: what comes for it now is late. */
  async #giveUp() {
    const order = this.desk.orders[this.#random(this.desk.orders.length || 1)] ?? "";
    await this.#rows(
      "UPDATE payment_intents SET status = 'failed' WHERE gateway_order_id = ? AND status = 'created'",
      order,
    );
  }

  async #settle() {
    const waiting = await this.company
      .call<{ id: string }[]>("GET", "/ledger/:company/captures?state=advance&limit=20")
      .catch(() => undefined);
    const one =
      waiting?.status === 200 ? waiting.body.data[this.#random(waiting.body.data.length || 1)] : undefined;
    if (one === undefined) return;
    const invoice = this.#invoices[this.#random(this.#invoices.length || 1)];
    const pays = this.#random(2) === 0 && invoice !== undefined;
    await this.#post(
      `/ledger/:company/captures/${one.id}/settle`,
      pays ? { invoice_id: invoice } : { outside_reference: "rfnd" },
    );
  }

  async #dismiss() {
    const orders =
      "SELECT id FROM sales_orders WHERE needs_refund = 1 OR payment_status = 'review' LIMIT 1 OFFSET ?";
    const [row] = await this.#rows(orders, this.#random(4));
    if (row === undefined) return;
    const body = { action: "dismiss", outside_reference: "rfnd" };
    await this.#post(`/orders/:company/${row.id}/resolve`, body);
  }

  async #endBooking() {
    const id = this.#bookings[this.#random(this.#bookings.length || 1)];
    if (id === undefined) return;
    await this.#post(`/settings/:company/bookings/${id}/cancel`, {});
    await this.#post(`/settings/:company/bookings/${id}`, { payment_status: "refunded" }, "PATCH");
  }

  async #stray() {
    await this.desk.takeForNothing(100 + this.#random(90_000));
  }

  async #onInvoice(move: (id: string) => Promise<unknown>) {
    const recent = Math.min(25, this.#invoices.length);
    const id = this.#invoices[this.#invoices.length - 1 - this.#random(recent || 1)];
    if (id !== undefined) await move(id);
  }

  #remember(order: unknown): void {
    if (typeof order === "string" && !this.desk.orders.includes(order)) this.desk.orders.push(order);
  }

  #rows(statement: string, value: string | number) {
    return until(() => rowsOf(this.company, statement, [value]));
  }

  /** A call that is sent again under its key until it is answered; its answer is one that the document names. */
  async #post(path: string, body?: object, method = "POST"): Promise<Answer<Record<string, unknown>>> {
    const headers = { "Idempotency-Key": randomUUID() };
    const answer = await until(async () => {
      const answered = await this.company.call(method, path, { body, headers });
      return answered.status === 503 || answered.status === 429 ? undefined : answered;
    });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    return answer;
  }
}

type Opening = { payment_data?: { gateway_order_id?: string } | null };
