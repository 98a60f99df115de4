import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import { newCustomer } from "../features/commerce.ts";
import { BANK } from "../features/money.ts";
import { daysAhead, openSchool, type School } from "../features/school.ts";
import { must, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { addressOf, type Service } from "../support/service.ts";

/** What the load writes; a reference names each call, its `Idempotency-Key` and the record that it makes. */
const KINDS = ["invoice", "payment", "booking", "sms"] as const;
export type Kind = (typeof KINDS)[number];
export type Ended = { kind: Kind; status: number; text: string; call: () => Promise<Answer> };

const RETRY_MS = 50;
const AGAIN = ["unavailable", "outcome_unknown", "idempotency_key_in_use", "rate_limited"];
const FINAL: Record<Kind, readonly number[]> = {
  invoice: [201],
  payment: [201],
  booking: [201, 409],
  sms: [202],
};
const HOURS = 8;
const DAYS = 60;

/** Clients of one company, each of which repeats a call under its key until it knows what became of it. */
export class Load {
  readonly company: TestCompany;
  /** How every call ended, by its reference. */
  readonly ended = new Map<string, Ended>();
  /** Answers that no client should ever get. */
  readonly strange: string[] = [];
  /** The codes that say that nothing is decided yet, and ask for the same call again. */
  readonly again = new Set(AGAIN);
  /** How many answers asked for the same call again. */
  postponed = 0;
  readonly #school: School;
  readonly #customerId: string;
  readonly #invoiceId: string;
  readonly #random: () => number;
  readonly #endings: readonly string[];

  /** `endings`: what the phone numbers end with, of which some have a fate of their own at the provider. */
  static async begin(service: Service, seed: number, endings: readonly string[] = ["00000"]): Promise<Load> {
    const school = await openSchool(
      { state: "Karnataka" },
      { windows: ["09:00-17:00"], service: addressOf(service) },
    );
    const { company } = school;
    await company.raiseLimit();
    const key = `/settings/:company/keys/${company.admin.client_id}`;
    const limits = { messaging_rate_per_minute: 100_000, messaging_daily_cap: 100_000 };
    must(await company.call("PATCH", key, { body: limits }), 200);
    const provider = { channel: "sms", kind: "msg91", config: { auth_key: `proof-${company.slug}` } };
    must(await company.call("POST", "/settings/:company/messaging-providers", { body: provider }), 201);
    const customer = await newCustomer(company, { state: "Karnataka" });
    const body = { customer_id: customer.id, items: [item(1_000_000)] };
    const invoice = must(await company.call("POST", "/invoices/:company", { body }), 201).body.data;
    return new Load(school, customer.id, String(invoice.id), seed, endings);
  }

  private constructor(
    school: School,
    customerId: string,
    invoiceId: string,
    seed: number,
    endings: readonly string[],
  ) {
    this.company = school.company;
    this.#school = school;
    this.#customerId = customerId;
    this.#invoiceId = invoiceId;
    this.#random = seededRandom(seed);
    this.#endings = endings;
  }

  /** Lets so many clients write until `until` says that it is enough, and all know how their last call ended. */
  async run(clients: number, until: () => Promise<boolean>): Promise<void> {
    let isOver = false;
    const write = async (client: number) => {
      for (let n = 0; !isOver; n += 1) await this.#finish(`${this.company.slug}-${client}-${n}`);
    };
    const writing = Array.from({ length: clients }, (_, client) => write(client));
    while (!(await until())) await sleep(RETRY_MS);
    isOver = true;
    await Promise.all(writing);
  }

  /** Writes customers with long notes until the next one is refused. */
  async fill(): Promise<void> {
    const body = { name: "Meera Traders", state: "Karnataka", pincode: "560001", notes: "x".repeat(2_000) };
    while ((await this.company.call("POST", "/customers/:company", { body })).status === 201);
  }

  async #finish(reference: string): Promise<void> {
    const kind = KINDS[Math.floor(this.#random() * KINDS.length)] ?? "invoice";
    const call = this.#callOf(kind, reference);
    for (;;) {
      // A connection that broke says nothing: the key finds out.
      const answer = await call().catch(() => undefined);
      if (answer !== undefined && FINAL[kind].includes(answer.status) && !this.again.has(answer.body.code)) {
        this.ended.set(reference, { kind, status: answer.status, text: answer.text, call });
        return;
      }
      if (answer !== undefined && this.again.has(answer.body.code)) this.postponed += 1;
      else if (answer !== undefined)
        this.strange.push(`${kind} ${reference}: ${answer.status} ${answer.text}`);
      await sleep(RETRY_MS);
    }
  }

  #callOf(kind: Kind, reference: string): () => Promise<Answer> {
    const [path, body] = this.#request(kind, reference);
    const headers = { "Idempotency-Key": reference };
    return () => this.company.call("POST", path, { body, headers, signal: AbortSignal.timeout(30_000) });
  }

  #request(kind: Kind, reference: string): [path: string, body: object] {
    switch (kind) {
      case "invoice":
        return [
          "/invoices/:company",
          { customer_id: this.#customerId, reference_number: reference, items: [item(100)] },
        ];
      case "payment":
        return ["/payments/:company", this.#payment(reference)];
      case "booking":
        return ["/schools/:company/bookings", this.#booking(reference)];
      case "sms":
        return ["/messaging/:company/sms", { to: this.#number(), message: reference }];
    }
  }

  #payment(reference: string) {
    return {
      invoice_id: this.#invoiceId,
      amount: 0.01,
      payment_date: new Date().toISOString().slice(0, 10),
      payment_mode_id: BANK,
      reference_number: reference,
    };
  }

  #booking(reference: string) {
    const [day, hour] = [this.#below(DAYS), this.#below(HOURS)];
    return {
      customer: { name: reference, email: `${reference}@mail.example` },
      instructor_id: this.#school.instructorId,
      product_id: this.#school.courseId,
      booking_date: daysAhead(3 + day),
      start_time: `${String(9 + hour).padStart(2, "0")}:00`,
    };
  }

  #number(): string {
    const ending = this.#endings[this.#below(this.#endings.length)] ?? "00000";
    return `9198${String(this.#below(100_000)).padStart(5, "0")}${String(this.#below(10))}${ending}`.slice(
      0,
      13,
    );
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

function item(unitPrice: number) {
  return { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: unitPrice, tax_rate: 18 };
}
