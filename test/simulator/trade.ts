import { randomUUID } from "node:crypto";
import { daysAhead, openSchool, type School } from "../features/school.ts";
import { addressOf, type Service } from "../support/service.ts";
import { BOOKS, openBooks } from "./books.ts";
import type { Draw } from "./draw.ts";
import { type Moves, World } from "./world.ts";

const HOURS = 8;
const DAYS = 60;

/** A driving school that keeps books and sends messages. */
export class Trade extends World {
  readonly school: School;
  readonly endings: readonly string[];

  private constructor(school: School, seed: number, endings: readonly string[]) {
    super(school.company, seed);
    this.school = school;
    this.endings = endings;
  }

  /** `endings`: what the phone numbers end with, of which some have a fate of their own at the provider. */
  static async begin(service: Service, seed: number, endings: readonly string[] = ["00000"]): Promise<Trade> {
    const school = await openSchool({ state: "Karnataka" }, { service: addressOf(service) });
    const { company } = school;
    const world = new Trade(school, seed, endings);
    await openBooks(world);
    const key = `/settings/:company/keys/${company.admin.client_id}`;
    const limits = { messaging_rate_per_minute: 100_000, messaging_daily_cap: 100_000 };
    await company.change(key, limits);
    const provider = { channel: "sms", kind: "msg91", config: { auth_key: `proof-${company.slug}` } };
    await company.make("/settings/:company/messaging-providers", provider);
    return world;
  }

  /** Writes customers with long notes until the next one is refused. */
  async fill(): Promise<void> {
    const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
    const body = { ...customer, notes: "x".repeat(2_000) };
    for (let status = 201; status === 201; ) {
      const answer = await this.company.call("POST", "/customers/:company", { body });
      if (answer.status === 201) this.ids("customers").push(String(answer.body.data.id));
      status = answer.status;
    }
  }
}

/** What is done in it, by all kinds of writes. */
export const TRADE: Moves<Trade> = {
  ...BOOKS,
  "credit note": { weight: 4, act: creditNote },
  lesson: { weight: 8, answers: ["201", "409 slot_unavailable"], act: lesson },
  sms: {
    weight: 8,
    answers: ["202"],
    act: ({ endings }, draw) => {
      const to = `9198${draw.from(100, 999)}${draw.one(endings)}`;
      return {
        path: "/messaging/:company/sms",
        body: { to, message: `Sms ${randomUUID()}` },
        makes: "messages",
      };
    },
  },
};

function lesson({ school }: Trade, draw: Draw) {
  const name = randomUUID();
  const body = {
    customer: { name, email: `${name}@mail.example` },
    instructor_id: school.instructorId,
    product_id: school.courseId,
    booking_date: daysAhead(3 + draw.below(DAYS)),
    start_time: `${String(9 + draw.below(HOURS)).padStart(2, "0")}:00`,
  };
  return { path: "/schools/:company/bookings", body, makes: "bookings" };
}

async function creditNote(world: Trade, draw: Draw) {
  const id = draw.one(world.ids("invoices"));
  if (id === undefined) return;
  const path = `/invoices/:company/${id}`;
  const { body: read } = await world.ask({ method: "GET", path });
  const item = draw.one(read.data.items as { id: string; taxable_value: number }[]);
  if (item === undefined) return;
  const amount = draw.from(1, Math.max(1, Math.round(item.taxable_value * 100))) / 100;
  const body = { reason: "deficiency", items: [{ invoice_item_id: item.id, taxable_amount: amount }] };
  return { path: `${path}/credit-notes`, body, makes: "credit_notes" };
}
