import { describe, expect, test } from "vitest";
import { connectGateway, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { pagesOf } from "../../../support/pages.ts";
import { setClock } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  book,
  daysAhead,
  newBooking,
  openSchool,
  type School,
  STAFF_BOOKINGS,
  STUDENT,
  type StaffBooking,
  setRules,
  staffPatch,
  staffRead,
} from "../../school.ts";
import { AT, DATE, orderOf, PAGES } from "./gateway-school.ts";

const change = ({ company }: School, id: string, body: object) => staffPatch(company, id, body);

test("a school lists its bookings with their customers, by date, in pages", async () => {
  const school = await openSchool({});
  const made = [];
  for (const [index, day] of [7, 8, 7, 7].entries())
    made.push(
      await newBooking(school, {
        booking_date: daysAhead(day),
        start_time: `${9 + index * 2}:00`.padStart(5, "0"),
      }),
    );
  const numbers = (records: StaffBooking[]) => records.map(({ booking_number: number }) => number);
  const pages = await pagesOf<StaffBooking>(school.company, STAFF_BOOKINGS, { limit: "3" });
  expect(pages.map(numbers)).toEqual([["BK-000004", "BK-000003", "BK-000002"], ["BK-000001"]]);
  const ofDate = await school.company.read<StaffBooking[]>(`${STAFF_BOOKINGS}?booking_date=${DATE}`);
  expect(numbers(ofDate)).toEqual(["BK-000004", "BK-000003", "BK-000001"]);
  const last = pages[1]?.[0];
  expect(last).toMatchObject({ ...made[0], customer: STUDENT, needs_review: false });
  expect(await staffRead(school.company, String(made[0]?.id))).toEqual({ ...last, captures: [] });
});

describe("a school", () => {
  test("confirms what is not paid online, which then waits no longer, and notes that it was paid", async () => {
    const school = await openSchool({ timezone: "Asia/Kolkata" });
    const { id } = await newBooking(school, AT);
    expect((await change(school, id, { payment_status: "paid" })).body.code).toBe("invalid_status");
    expect((await change(school, id, { status: "confirmed" })).body.data).toMatchObject({
      status: "confirmed",
      payment_status: "unpaid",
      hold_expires_at: null,
    });
    await school.company.clock(49 * 3_600);
    expect((await change(school, id, { payment_status: "paid" })).body.data).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
    });
    await expectSound(school.company);
  });

  test("confirms a booking that expired only while its slot is free", async () => {
    const school = await openSchool({});
    await setRules(school.company, { pending_hours: 1 });
    const first = await newBooking(school, AT);
    const second = await newBooking(school, { ...AT, start_time: "14:00" });
    await school.company.clock(3_601);
    await newBooking(school, AT);
    expect(await change(school, first.id, { status: "confirmed" })).toMatchObject(
      refusal(409, "slot_unavailable"),
    );
    expect((await change(school, second.id, { status: "confirmed" })).status).toBe(200);
    await expectSound(school.company);
  });

  test("records how a lesson ended once it has begun, whatever buffer there is by then", async () => {
    const school = await openSchool({ timezone: "Asia/Kolkata" });
    await setRules(school.company, { buffer_minutes: 0 });
    const ids = [];
    for (const start_time of ["10:00", "11:00"]) {
      const { id } = await newBooking(school, { booking_date: DATE, start_time });
      await change(school, id, { status: "confirmed" });
      ids.push(id);
    }
    const [one = "", other = ""] = ids;
    expect((await change(school, one, { status: "completed" })).body.code).toBe("invalid_status");
    await setRules(school.company, { buffer_minutes: 60 });
    await setClock(school.company, `${DATE}T12:00:00+05:30`);
    expect((await change(school, one, { status: "completed" })).body.data.status).toBe("completed");
    expect((await change(school, other, { status: "no_show" })).body.data.status).toBe("no_show");
    expect((await change(school, other, { status: "confirmed" })).body.code).toBe("invalid_status");
    await expectSound(school.company);
  });

  test("notes a refund, and that a payment was looked at", async () => {
    const school = await openSchool({});
    await connectGateway(school.company, "razorpay");
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await play(school.company, "razorpay", orderOf(answer), "twice");
    expect((await staffRead(school.company, id)).needs_review).toBe(true);
    expect((await change(school, id, { needs_review: false })).body.data.needs_review).toBe(false);
    expect((await change(school, id, { payment_status: "refunded" })).body.code).toBe("invalid_status");
    await school.company.call("POST", `/schools/:company/bookings/${id}/cancel`, { body: {} });
    expect((await change(school, id, { payment_status: "refunded" })).body.data).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
    });
    await expectSound(school.company);
  });
});

describe("what a school asks of its bookings", () => {
  async function withPayments() {
    const school = await openSchool({});
    await connectGateway(school.company, "razorpay");
    const times = ["09:00", "11:00", "13:00", "15:00"];
    const made = [];
    for (const start_time of times)
      made.push(await book(school, { booking_date: DATE, start_time, ...PAGES }));
    const [expired, paid, twice, cancelled] = made.map((answer) => ({
      id: answer.body.booking.id,
      order: orderOf(answer),
    }));
    if (!expired || !paid || !twice || !cancelled) throw new Error("Four were made");
    await play(school.company, "razorpay", paid.order, "paid");
    await play(school.company, "razorpay", twice.order, "twice");
    await play(school.company, "razorpay", cancelled.order, "paid");
    await school.company.call("POST", `/schools/:company/bookings/${cancelled.id}/cancel`, { body: {} });
    return { school, expired, paid, twice, cancelled };
  }

  test("by status, as of now, and by payment status, one or several", async () => {
    const { school, expired, paid, twice, cancelled } = await withPayments();
    const ids = async (query: string) => {
      const { status, body } = await school.company.call<StaffBooking[]>("GET", `${STAFF_BOOKINGS}?${query}`);
      return status === 200 ? body.data.map(({ id }) => id) : status;
    };
    expect(await ids("status=pending")).toEqual([expired.id]);
    expect(await ids("status=expired")).toEqual([]);
    await school.company.clock(16 * 60);
    expect(await ids("status=pending")).toEqual([]);
    expect(await ids("status=expired")).toEqual([expired.id]);
    expect(await ids("status=cancelled,expired")).toEqual([cancelled.id, expired.id]);
    expect(await ids("status=confirmed")).toEqual([twice.id, paid.id]);
    expect(await ids("payment_status=refund_due")).toEqual([cancelled.id]);
    expect(await ids("payment_status=unpaid,refund_due")).toEqual([cancelled.id, expired.id]);
    expect(await ids("payment_status=paid&status=confirmed")).toEqual([twice.id, paid.id]);
    expect(await ids(`payment_status=paid&booking_date=${daysAhead(8)}`)).toEqual([]);
    expect(await ids("status=gone")).toBe(422);
    expect(await ids("payment_status=paid,")).toBe(422);
    const first = await school.company.call<StaffBooking[]>(
      "GET",
      `${STAFF_BOOKINGS}?status=confirmed&limit=1`,
    );
    const next = `status=confirmed&limit=1&cursor=${encodeURIComponent(first.body.paging.next_cursor ?? "")}`;
    expect(await ids(next)).toEqual([paid.id]);
    expect(await ids(next.replace("confirmed", "expired"))).toBe(422);
  });

  test("shows the gateway payments of each, and what came besides", async () => {
    const { school, expired, paid, twice } = await withPayments();
    const paymentsOf = async (id: string) => (await staffRead(school.company, id)).payments;
    const started = { gateway: "razorpay", amount: 75, currency: "INR", other_payment_ids: [] };
    expect(await paymentsOf(expired.id)).toEqual([
      {
        ...started,
        status: "created",
        gateway_order_id: expired.order,
        gateway_payment_id: null,
        created_at: expect.any(String),
        paid_at: null,
      },
    ]);
    expect(await paymentsOf(paid.id)).toMatchObject([
      {
        ...started,
        status: "paid",
        gateway_payment_id: expect.stringMatching(/^pay_/),
        paid_at: expect.any(String),
      },
    ]);
    const [double] = await paymentsOf(twice.id);
    expect(double).toMatchObject({ status: "paid", other_payment_ids: [expect.stringMatching(/^pay_/)] });
    expect(double?.other_payment_ids).not.toContain(double?.gateway_payment_id);
    const { payments } = (await school.company.read<StaffBooking[]>(STAFF_BOOKINGS)).at(-1) ?? {};
    expect(payments).toEqual(await paymentsOf(expired.id));
  });

  test("a booking that was never to be paid online has none", async () => {
    const school = await openSchool({});
    const { id } = await newBooking(school, AT);
    expect((await staffRead(school.company, id)).payments).toEqual([]);
  });
});
