import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { connectGateway, gatewayFaults, type Kind, play } from "../../support/gateways.ts";
import { untilAlone } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf, setClock } from "../commerce.ts";
import {
  type Booked,
  book,
  daysAhead,
  expectStatus,
  newBooking,
  offered,
  openSchool,
  readBooking,
  type School,
  type SchoolAnswer,
  schoolCall,
} from "../school.ts";

const DATE = daysAhead(7);
const AT = { booking_date: DATE, start_time: "10:00" };
const PAGES = { return_url: "https://book.example.com/thanks", cancel_url: "https://book.example.com/back" };
const HOLD_SECONDS = 15 * 60;

async function openWithGateway(kind: Kind = "razorpay") {
  const school = await openSchool(kind === "razorpay" ? {} : { country: "AU", currency: "AUD" });
  const gateway = await connectGateway(school.company, kind, {
    currencies: [kind === "razorpay" ? "INR" : "AUD"],
  });
  return { school, gateway };
}

function pay({ company }: School, id: string, body: object = PAGES, headers = {}) {
  return schoolCall<{ payment: Booked["payment"] }>(company, "POST", `/bookings/${id}/pay`, {
    body,
    headers,
  });
}

/** The gateway's own id of the payment that an answer has started. */
function orderOf({ body }: SchoolAnswer<Pick<Booked, "payment">>): string {
  return String(body.payment.payment_data?.gateway_order_id);
}

describe.each(["razorpay", "stripe", "paypal"] as const)("through %s", (kind) => {
  test("a booking is held, then confirmed and paid by the gateway's event", async () => {
    const { school } = await openWithGateway(kind);
    const answer = expectStatus(await book(school, { ...AT, ...PAGES }), 201);
    const { booking, payment } = answer.body;
    expect(booking).toMatchObject({ status: "pending", payment_status: "unpaid", total_amount: 75 });
    const heldFor = Date.parse(booking.hold_expires_at ?? "") - Date.now();
    expect(Math.abs(heldFor / 1_000 - HOLD_SECONDS)).toBeLessThan(60);
    expect(payment).toMatchObject({
      required: true,
      amount: 75,
      currency: booking.currency,
      gateway: kind,
      status: "pending",
      online_payment_enabled: true,
    });
    if (kind === "razorpay") expect(payment.payment_url).toBeNull();
    else expect(payment.payment_url).toMatch(/^https?:\/\//);

    await play(school.company, kind, orderOf(answer), "paid");
    const paid = await readBooking(school.company, booking.id);
    expect(paid).toEqual({ ...booking, status: "confirmed", payment_status: "paid", hold_expires_at: null });
    expect(await pay(school, booking.id)).toMatchObject({ status: 409, body: { code: "already_paid" } });
    await expectSound(school.company);
  });
});

describe("POST /bookings", () => {
  test("without addresses to return to starts no payment; /pay does", async () => {
    const { school } = await openWithGateway();
    const { body } = expectStatus(await book(school, AT), 201);
    expect(body.payment).toMatchObject({
      required: true,
      gateway: null,
      payment_url: null,
      payment_data: null,
      online_payment_enabled: true,
    });
    const started = expectStatus(await pay(school, body.booking.id), 200);
    expect(started.body.payment).toMatchObject({ gateway: "razorpay", status: "pending", amount: 75 });
    await play(school.company, "razorpay", orderOf(started), "paid");
    expect((await readBooking(school.company, body.booking.id)).status).toBe("confirmed");
  });

  test("stands when the gateway fails: the booking is pending, and /pay starts the payment later", async () => {
    const { school, gateway } = await openWithGateway();
    await gatewayFaults(school.company, gateway, { refused_call: 1 });
    const { body } = expectStatus(await book(school, { ...AT, ...PAGES }), 201);
    expect(body.booking.status).toBe("pending");
    expect(body.payment).toMatchObject({ status: "pending", gateway: null, payment_data: null });
    const key = { "Idempotency-Key": "pay" };
    const failed = await pay(school, body.booking.id, PAGES, key);
    expect(failed).toMatchObject({ status: 400, body: { success: false, code: "payment_gateway_error" } });
    expect((await readBooking(school.company, body.booking.id)).status).toBe("pending");
    await gatewayFaults(school.company, gateway, { refused_call: 0 });
    const retried = expectStatus(await pay(school, body.booking.id, PAGES, key), 200);
    expect(retried.headers.get("Idempotent-Replayed")).toBeNull();
    expect(orderOf(retried)).not.toBe("undefined");
    await expectSound(school.company);
  });

  test("with an Idempotency-Key answers the same payment again", async () => {
    const { school } = await openWithGateway("stripe");
    const headers = { "Idempotency-Key": "book" };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => untilAlone(() => book(school, { ...AT, ...PAGES }, { headers }))),
    );
    expect([...new Set(answers.map(({ text }) => text))]).toEqual([answers[0]?.text]);
    expect(answers[0]?.body.payment.payment_url).toMatch(/^http/);
    const key = { "Idempotency-Key": "pay" };
    const id = answers[0]?.body.booking.id ?? "";
    const payments = await Promise.all(
      Array.from({ length: 4 }, () => untilAlone(() => pay(school, id, PAGES, key))),
    );
    expect([...new Set(payments.map(({ text }) => text))]).toEqual([payments[0]?.text]);
    expect(await rowsOf(school.company, "SELECT count(*) AS noted FROM payment_intents")).toEqual([
      { noted: 2 },
    ]);
  });
});

describe("a hold", () => {
  test("that ran out gives the slot to others, and reads as expired before and after housekeeping", async () => {
    const { school } = await openWithGateway();
    const { company } = school;
    const { id } = await newBooking(school, AT);
    expect(await offered(school, DATE)).not.toContain("10:00");
    await company.clock(HOLD_SECONDS + 1);
    expect(await readBooking(company, id)).toMatchObject({ status: "expired", hold_expires_at: null });
    expect(await offered(school, DATE)).toContain("10:00");
    const status = async () =>
      (await rowsOf(company, "SELECT status FROM bookings WHERE id = ?", [id]))[0]?.status;
    expect(await status()).toBe("pending");
    await company.startSweep();
    await expect.poll(status, { timeout: 10_000, interval: 50 }).toBe("expired");
    expect(await readBooking(company, id)).toMatchObject({ status: "expired", hold_expires_at: null });
    await newBooking(school, AT);
    await expectSound(company);
  });

  test("that ran out is taken again by /pay while the slot is free", async () => {
    const { school } = await openWithGateway();
    const { id } = await newBooking(school, AT);
    await school.company.clock(HOLD_SECONDS + 1);
    expectStatus(await pay(school, id), 200);
    expect((await readBooking(school.company, id)).status).toBe("pending");
    expect(await book(school, AT)).toMatchObject({ status: 409, body: { code: "slot_unavailable" } });
    await expectSound(school.company);
  });

  test("whose slot is another's by then is not: /pay is 409", async () => {
    const { school } = await openWithGateway();
    const { id } = await newBooking(school, AT);
    await school.company.clock(HOLD_SECONDS + 1);
    await newBooking(school, AT);
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "slot_unavailable" } });
    expect((await readBooking(school.company, id)).status).toBe("expired");
    await expectSound(school.company);
  });
});

describe("a payment that comes after the hold ran out", () => {
  test("confirms the booking where nobody took the slot", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    await school.company.clock(HOLD_SECONDS + 60);
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await readBooking(school.company, answer.body.booking.id)).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
    });
    await expectSound(school.company);
  });

  test("is due back where another has the slot, which stays with the other", async () => {
    const { school } = await openWithGateway();
    const late = await book(school, { ...AT, ...PAGES });
    await school.company.clock(HOLD_SECONDS + 60);
    const other = await book(school, { ...AT, ...PAGES });
    expect(other.status).toBe(201);
    await play(school.company, "razorpay", orderOf(late), "paid");
    await play(school.company, "razorpay", orderOf(other), "paid");
    const [first, second] = await Promise.all(
      [late, other].map(({ body }) => readBooking(school.company, body.booking.id)),
    );
    expect(first).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect(second).toMatchObject({ status: "confirmed", payment_status: "paid" });
    await expectSound(school.company);
  });

  test("is due back where the booking was cancelled meanwhile", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await schoolCall(school.company, "POST", `/bookings/${id}/cancel`, { body: {} });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await readBooking(school.company, id)).toMatchObject({
      status: "cancelled",
      payment_status: "refund_due",
    });
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    await expectSound(school.company);
  });
});

test("events that come twice, at once and in disorder confirm once", async () => {
  const { school, gateway } = await openWithGateway();
  await gatewayFaults(school.company, gateway, {
    duplicate: 1,
    reordered: 1,
    together: 1,
    lost_answer: 0.3,
    seed: 5,
  });
  const answer = await book(school, { ...AT, ...PAGES });
  await play(school.company, "razorpay", orderOf(answer), "paid");
  expect(await readBooking(school.company, answer.body.booking.id)).toMatchObject({ status: "confirmed" });
  await expectSound(school.company);
});

test("a payment of another amount, and a second one, leave the booking to be looked at", async () => {
  const { school } = await openWithGateway();
  const wrong = await book(school, { ...AT, ...PAGES });
  await play(school.company, "razorpay", orderOf(wrong), "wrong_amount");
  expect(await readBooking(school.company, wrong.body.booking.id)).toMatchObject({
    payment_status: "unpaid",
  });
  const twice = await book(school, { ...AT, start_time: "14:00", ...PAGES });
  await play(school.company, "razorpay", orderOf(twice), "twice");
  expect(await readBooking(school.company, twice.body.booking.id)).toMatchObject({ status: "confirmed" });
  const marked = await rowsOf(school.company, "SELECT needs_review FROM bookings ORDER BY start_at");
  expect(marked).toEqual([{ needs_review: 1 }, { needs_review: 1 }]);
  await expectSound(school.company);
});

describe("money that comes for a booking which", () => {
  const review = async ({ company }: School) =>
    (await rowsOf(company, "SELECT needs_review FROM bookings"))[0]?.needs_review;
  const change = async ({ company }: School, id: string, body: object) =>
    must(await company.call("PATCH", `/settings/:company/bookings/${id}`, { body }), 200);

  test("another of its payments has paid already leaves it to be looked at", async () => {
    const { school } = await openWithGateway();
    const first = await book(school, { ...AT, ...PAGES });
    const { id } = first.body.booking;
    const second = await pay(school, id);
    await play(school.company, "razorpay", orderOf(second), "paid");
    expect(await review(school)).toBe(0);
    await play(school.company, "razorpay", orderOf(first), "paid");
    expect(await readBooking(school.company, id)).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
    });
    expect(await review(school)).toBe(1);
    await expectSound(school.company);
  });

  test("was paid outside of this service leaves it to be looked at", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    await change(school, answer.body.booking.id, { status: "confirmed", payment_status: "paid" });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await review(school)).toBe(1);
    await expectSound(school.company);
  });

  test.each(["completed", "no_show"])("is %s pays it, and its lesson stays as it ended", async (status) => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await change(school, id, { status: "confirmed" });
    await setClock(school.company, `${DATE}T12:00:00+05:30`);
    await change(school, id, { status });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await readBooking(school.company, id)).toMatchObject({ status, payment_status: "paid" });
    expect(await review(school)).toBe(0);
    await expectSound(school.company);
  });
});

test("/pay where no gateway takes the currency is 422, of an unknown booking 404", async () => {
  const school = await openSchool({});
  const { id } = await newBooking(school, AT);
  expect(await pay(school, id)).toMatchObject({ status: 422, body: { code: "online_payment_not_enabled" } });
  expect((await pay(school, `bkg_${"a".repeat(26)}`)).status).toBe(404);
});

test("from a browser /pay sends its visitor back to the key's origins only", async () => {
  const { school } = await openWithGateway();
  const { id } = await newBooking(school, AT);
  const origin = "https://book.example.com";
  const key = await school.company.publishableKey(origin);
  const call = (body: object) =>
    schoolCall(school.company, "POST", `/bookings/${id}/pay`, { key, body, headers: { Origin: origin } });
  expect((await call({ ...PAGES, return_url: "https://evil.example/" })).status).toBe(422);
  expect((await call(PAGES)).status).toBe(200);
});
