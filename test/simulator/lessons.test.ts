import { expect, test } from "vitest";
import { newCustomer } from "../features/commerce.ts";
import { everyDay, newInstructor, newPackage, openSchool, SYDNEY, setRules } from "../features/school.ts";
import type { TestCompany } from "../support/company.ts";
import { expectEventHistory } from "../support/event-history.ts";
import { connectGateway, play } from "../support/gateways.ts";
import type { Answer } from "../support/http.ts";
import { expectSound } from "../support/oracles.ts";
import { type Draw, SEED } from "./draw.ts";
import { losses } from "./faults.ts";
import { expectOnce } from "./judge.ts";
import { type Asked, type Moves, runs, World } from "./world.ts";

// A run takes four times as long as one of the books.
const RUNS = Math.ceil(Number(process.env.MODEL_RUNS ?? 24) / 4);

const BUFFER_MINUTES = 15;
// Sydney's clocks go forward on 4 October 2026 and back on 5 April 2026; both days are in reach of one of the two starts.
const STARTS = ["2026-10-01T20:00:00Z", "2026-04-02T20:00:00Z"];
const WINDOW = "00:00-07:00";
const BOOKINGS = "/schools/:company/bookings";
const PAGES = { return_url: "https://book.example.com/a", cancel_url: "https://book.example.com/b" };
const STUDENT = { name: "Mia Chen", email: "mia@example.com", phone: "0412345678" };
const TAKEN = ["409 slot_unavailable", "409 slot_overlaps_own"];
const NOT_THERE = ["422 slot_not_offered", "422 nonexistent_time"];

// Of two bookings that are sure, or held by the same clock, one has been put where the other was.
const TOO_CLOSE = `SELECT one.id, other.id AS other FROM bookings one JOIN bookings other
  ON other.instructor_id = one.instructor_id AND other.id > one.id
    AND other.start_at < one.end_at + ${BUFFER_MINUTES * 60_000} AND other.end_at + ${BUFFER_MINUTES * 60_000} > one.start_at
  WHERE one.status IN ('confirmed', 'pending') AND other.status IN ('confirmed', 'pending')
    AND coalesce(one.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)
    AND coalesce(other.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)`;
// On a day of a clock change too, an hour's lesson takes an hour, and begins when its local time says.
const WRONG_LENGTH = `SELECT id FROM bookings WHERE end_at - start_at <> 3600000
  OR (substr(end_time, 1, 2) + 24 - substr(start_time, 1, 2)) % 24 <> 1`;

type Fields = { company: TestCompany; instructors: number[]; courseId: number; packageId: number };

/** A school in Sydney around a change of its clocks. */
class Lessons extends World {
  readonly fields: Fields;
  /** The gateway's ids of payments that were started, by booking. */
  readonly orders = new Map<string, string[]>();
  readonly #started = new Set<string>();
  readonly #start: number;
  readonly #begun = Date.now();
  #waited = 0;

  private constructor(fields: Fields, seed: number) {
    super(fields.company, seed);
    this.fields = fields;
    this.#start = Date.parse(STARTS[seed % STARTS.length] as string);
  }

  static async open(seed: number): Promise<Lessons> {
    const school = await openSchool(SYDNEY, { windows: [WINDOW] });
    const { company, instructorId, courseId } = school;
    await company.raiseLimit();
    const rules = { cancel_window_hours: 12, slot_step_minutes: 60 };
    await setRules(company, { buffer_minutes: BUFFER_MINUTES, ...rules });
    const { id: other } = await newInstructor(company, { schedule: everyDay(WINDOW) });
    await connectGateway(company, "stripe", { currencies: ["AUD"] });
    const { id: customer } = await newCustomer(company, { ...STUDENT, state: "NSW", pincode: "2135" });
    const { id: packageId } = await newPackage(school, { customer_id: customer, sessions_total: 3 });
    const world = new Lessons({ company, instructors: [instructorId, other], courseId, packageId }, seed);
    await world.wait(0);
    return world;
  }

  /** Sets the company's clock to the beginning and what was waited since. */
  async wait(minutes: number): Promise<void> {
    this.#waited += minutes * 60;
    await this.company.clock(Math.round((this.#start - this.#begun) / 1_000) + this.#waited);
  }

  /** A time on the first days, in whole hours, at one of the instructors. */
  time(draw: Draw) {
    const day = new Date(this.#start + draw.from(1, 4) * 86_400_000);
    return {
      instructor_id: draw.one(this.fields.instructors),
      booking_date: day.toISOString().slice(0, 10),
      start_time: `0${draw.below(6)}:00`,
    };
  }

  /** Keeps the payment that an answer says was started. */
  started({ text }: Answer, of?: string): void {
    const { booking, payment } = JSON.parse(text);
    const [id, order] = [of ?? booking.id, payment.payment_data?.gateway_order_id];
    // A further press leads to the payment that is open, or was just paid: its payer pays it once.
    if (order === undefined || this.#started.has(order)) return;
    this.#started.add(order);
    this.orders.set(id, [...(this.orders.get(id) ?? []), order]);
  }
}

/** What users, students and gateways do. */
const LESSONS: Moves<Lessons> = {
  book: { weight: 10, answers: ["201", ...TAKEN, ...NOT_THERE, "422 package_exhausted"], act: book },
  pay: {
    weight: 2,
    answers: ["200", "409 already_paid", "409 invalid_status", ...TAKEN],
    act: onBooking((world, id) => ({
      path: `${BOOKINGS}/${id}/pay`,
      body: PAGES,
      told: (answer) => world.started(answer, id),
    })),
  },
  // The payer of a booking pays the payment that was started last; the gateway reports it to the service.
  paid: {
    weight: 6,
    act: onBooking(async ({ company, orders }, id) => {
      const order = orders.get(id)?.pop();
      if (order !== undefined) await play(company, "stripe", order, "paid");
    }),
  },
  cancel: {
    weight: 3,
    answers: ["200", "409 invalid_status", "422 cancel_window_passed"],
    act: onBooking((_, id, draw) => ({ path: `${BOOKINGS}/${id}/cancel`, body: { force: draw.oneIn(2) } })),
  },
  move: {
    weight: 4,
    answers: ["200", "409 invalid_status", "422 cancel_window_passed", ...TAKEN, ...NOT_THERE],
    act: onBooking((world, id, draw) => ({ path: `${BOOKINGS}/${id}/reschedule`, body: world.time(draw) })),
  },
  wait: { weight: 3, act: (world, draw) => world.wait(draw.one([1, 14, 16, 600, 1_500])) },
  "hourly jobs": { weight: 1, act: ({ company }) => company.startSweep() },
};

function book(world: Lessons, draw: Draw): Asked {
  const { courseId, packageId } = world.fields;
  const payment = draw.one(["none", "start", "start", "package"] as const);
  const body = {
    customer: STUDENT,
    ...world.time(draw),
    product_id: courseId,
    ...(payment === "start" ? PAGES : {}),
    ...(payment === "package" ? { booking_package_id: packageId } : {}),
  };
  return { path: BOOKINGS, body, makes: "bookings", told: (answer) => world.started(answer) };
}

type OnBooking = (world: Lessons, id: string, draw: Draw) => Asked | undefined | Promise<undefined>;

function onBooking(act: OnBooking) {
  return (world: Lessons, draw: Draw) => {
    const id = draw.one(world.ids("bookings"));
    return id === undefined ? undefined : act(world, id, draw);
  };
}

test(`whatever students, schools and gateways do at the same time, no lesson is booked twice (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 3_000,
}, async () => {
  await runs(RUNS, async (seed) => {
    const world = await Lessons.open(seed);
    await world.company.faults(...losses(seed));
    // A hold that ran out is no booking, also where another took its slot since.
    const judge = async () => expect(await world.rows(TOO_CLOSE)).toEqual([]);
    await world.inRounds(LESSONS, world.draw().from(5, 12), 3, judge);
    await world.company.faults();
    expect(await world.rows(WRONG_LENGTH)).toEqual([]);
    await expectOnce(world);
    await expectSound(world.company);
    await expectEventHistory(world.company);
  });
});
