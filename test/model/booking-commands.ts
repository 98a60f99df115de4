import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { TestCompany } from "../support/company.ts";
import { play } from "../support/gateways.ts";
import type { Answer } from "../support/http.ts";

/** What users, students and gateways do; times are whole hours, people and bookings are picked by number. */
export type Command =
  | { kind: "book"; instructor: number; day: number; hour: number; payment: "none" | "start" | "package" }
  | { kind: "pay"; booking: number }
  | { kind: "paid"; booking: number }
  | { kind: "cancel"; booking: number; force: boolean }
  | { kind: "move"; booking: number; instructor: number; day: number; hour: number }
  | { kind: "wait"; minutes: number }
  | { kind: "runHourlyJobs" };

/** Commands that run one after another, each step's own ones at the same time. */
export type Plan = { steps: Command[][]; faultSeed: number };
export const INSTRUCTORS = 2;
// Sydney's clocks go forward on 4 October 2026 and back on 5 April 2026; both days are in reach of one of the two starts.
export const STARTS = ["2026-10-01T20:00:00Z", "2026-04-02T20:00:00Z"];
const HOURS = { min: 0, max: 5 };
const DAYS = { min: 1, max: 4 };
const place = fc.nat({ max: 9 });
const instructor = fc.nat({ max: INSTRUCTORS - 1 });
const day = fc.integer(DAYS);
const hour = fc.integer(HOURS);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("book" as const),
      instructor,
      day,
      hour,
      payment: fc.constantFrom("none" as const, "start" as const, "start" as const, "package" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pay" as const), booking: place }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("paid" as const), booking: place }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("cancel" as const), booking: place, force: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("move" as const), booking: place, instructor, day, hour }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      minutes: fc.constantFrom(1, 14, 16, 600, 1_500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("runHourlyJobs" as const) }) },
);

export const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(fc.array(command, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 12 }),
  faultSeed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** The answers that the documentation allows a command, by status and code. */
export const DOCUMENTED: Record<Command["kind"], readonly string[]> = {
  book: [
    "201",
    "409 slot_unavailable",
    "409 slot_overlaps_own",
    "422 slot_not_offered",
    "422 nonexistent_time",
    "422 package_exhausted",
  ],
  pay: ["200", "409 already_paid", "409 invalid_status", "409 slot_unavailable", "409 slot_overlaps_own"],
  paid: ["played"],
  cancel: ["200", "409 invalid_status", "422 cancel_window_passed"],
  move: [
    "200",
    "409 slot_unavailable",
    "409 slot_overlaps_own",
    "409 invalid_status",
    "422 slot_not_offered",
    "422 nonexistent_time",
    "422 cancel_window_passed",
  ],
  wait: ["waited"],
  runHourlyJobs: ["kept"],
};

const RETRIES = 10;
const PAGES = { return_url: "https://book.example.com/a", cancel_url: "https://book.example.com/b" };
const STUDENT = { name: "Mia Chen", email: "mia@example.com", phone: "0412345678" };

/** A school as a plan finds it, and what the plan has made so far. */
export class World {
  readonly bookings: string[] = [];
  /** The gateway's ids of payments that were started, by booking. */
  readonly orders = new Map<string, string[]>();
  readonly company: TestCompany;
  readonly instructors: readonly number[];
  readonly courseId: number;
  readonly packageId: number;
  readonly runHourlyJobs: () => Promise<void>;
  readonly #start: number;
  readonly #begun = Date.now();
  #waited = 0;

  constructor(
    given: Pick<World, "company" | "instructors" | "courseId" | "packageId" | "runHourlyJobs">,
    start: string,
  ) {
    this.company = given.company;
    this.instructors = given.instructors;
    this.courseId = given.courseId;
    this.packageId = given.packageId;
    this.runHourlyJobs = given.runHourlyJobs;
    this.#start = Date.parse(start);
  }

  /** Sets the company's clock to the plan's beginning and what it has waited since. */
  async setClock(minutes = 0): Promise<void> {
    this.#waited += minutes * 60;
    await this.company.clock(Math.round((this.#start - this.#begun) / 1_000) + this.#waited);
  }

  /** The date so many days after the plan's first. */
  date(day: number): string {
    return new Date(this.#start + day * 86_400_000).toISOString().slice(0, 10);
  }
}

/** Runs one command; undefined when there is nothing yet that it could act on. */
export async function run(world: World, command: Command): Promise<string | undefined> {
  if (command.kind === "wait") {
    await world.setClock(command.minutes);
    return "waited";
  }
  if (command.kind === "runHourlyJobs") {
    await world.runHourlyJobs();
    return "kept";
  }
  if (command.kind === "paid") return pays(world, command.booking);
  // What the documentation asks of a client whose answer was lost: the same call again, with the same key.
  const headers = { "Idempotency-Key": randomUUID() };
  let answer = await issue(world, command, headers);
  for (let retry = 0; answer?.status === 503 && retry < RETRIES; retry += 1)
    answer = await issue(world, command, headers);
  if (answer === undefined) return undefined;
  remember(world, command, answer);
  return answer.status < 300 ? String(answer.status) : `${answer.status} ${answer.body.code}`;
}

function issue(
  world: World,
  command: Exclude<Command, { kind: "wait" | "runHourlyJobs" | "paid" }>,
  headers: Record<string, string>,
): Promise<Answer> | undefined {
  const { company } = world;
  const post = (path: string, body: object) =>
    company.call("POST", `/schools/:company/bookings${path}`, { body, headers });
  if (command.kind === "book") {
    const { payment } = command;
    return post("", {
      customer: STUDENT,
      ...when(world, command),
      product_id: world.courseId,
      ...(payment === "start" ? PAGES : {}),
      ...(payment === "package" ? { booking_package_id: world.packageId } : {}),
    });
  }
  const id = pick(world.bookings, command.booking);
  if (id === undefined) return undefined;
  if (command.kind === "pay") return post(`/${id}/pay`, PAGES);
  if (command.kind === "cancel") return post(`/${id}/cancel`, { force: command.force });
  return post(`/${id}/reschedule`, when(world, command));
}

function when(world: World, { instructor: index, day: ahead, hour: at }: Extract<Command, { hour: number }>) {
  return {
    instructor_id: world.instructors[index],
    booking_date: world.date(ahead),
    start_time: `${String(at).padStart(2, "0")}:00`,
  };
}

/** Lets the payer of a booking pay the payment that was started last; the gateway reports it to the service. */
async function pays(world: World, booking: number): Promise<string | undefined> {
  const order = world.orders.get(pick(world.bookings, booking) ?? "")?.pop();
  if (order === undefined) return undefined;
  await play(world.company, "stripe", order, "paid");
  return "played";
}

function remember(world: World, command: Command, { status, text }: Answer): void {
  if (status >= 300 || (command.kind !== "book" && command.kind !== "pay")) return;
  const { booking, payment } = JSON.parse(text);
  const id = booking?.id ?? pick(world.bookings, command.kind === "pay" ? command.booking : 0);
  if (command.kind === "book") world.bookings.push(id);
  const order = payment.payment_data?.gateway_order_id;
  if (order !== undefined) world.orders.set(id, [...(world.orders.get(id) ?? []), order]);
}

function pick(ids: readonly string[], index: number): string | undefined {
  return ids.length === 0 ? undefined : ids[index % ids.length];
}
