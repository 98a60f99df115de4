import { describe, expect, test } from "vitest";
import { checkoutScript } from "#features/gateway-payments";
import { servicesOf } from "../../../../src/api/services.ts";
import { gatewayFaults, type Kind, play } from "../../../support/gateways.ts";
import { untilAlone } from "../../../support/http.ts";
import { expectSound } from "../../../support/oracles.ts";
import { times } from "../../money.ts";
import { expectRefused } from "../../refusal.ts";
import {
  book,
  browserOf,
  expectStatus,
  newBooking,
  openSchool,
  readBooking,
  schoolCall,
} from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { HOLD_SECONDS, openWithGateway, orderOf, PAGES, pay } from "./gateway-school.ts";

type Opened = Awaited<ReturnType<typeof openWithGateway>>;
const AT = dateOfEachTest(7);
const [razorpay, stripe] = await Promise.all([openWithGateway("razorpay"), openWithGateway("stripe")]);
const openedWith = async (kind: Kind): Promise<Opened> =>
  ({ razorpay, stripe, paypal: undefined })[kind] ?? openWithGateway(kind);

describe.each(["razorpay", "stripe", "paypal"] as const)("through %s", (kind) => {
  test("a booking is held, then confirmed and paid by the gateway's event", async () => {
    const { school } = await openedWith(kind);
    const answer = expectStatus(await book(school, { ...AT, ...PAGES }), 201);
    const { payment } = answer.body;
    const { manage_url: address, ...booking } = answer.body.booking;
    expect(address).toMatch(/\/b\/[a-z0-9-]+\/[A-Za-z0-9_-]{43}$/);
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
    const { school } = razorpay;
    const { body } = expectStatus(await book(school, AT), 201);
    expect(body.payment).toMatchObject({
      required: true,
      gateway: null,
      payment_url: null,
      payment_data: null,
      next_action: null,
      online_payment_enabled: true,
    });
    const started = expectStatus(await pay(school, body.booking.id), 200);
    expect(started.body.payment).toMatchObject({
      ...{ gateway: "razorpay", status: "pending", amount: 75 },
      next_action: {
        script: `${school.company.gatewaysUrl}/razorpay/v1/checkout.js`,
        options: { order_id: orderOf(started), amount: 7_500 },
      },
    });
    expect(checkoutScript({ services: servicesOf({}) })).toBe("https://checkout.razorpay.com/v1/checkout.js");
    await play(school.company, "razorpay", orderOf(started), "paid");
    expect((await readBooking(school.company, body.booking.id)).status).toBe("confirmed");
  });

  test("stands when the gateway fails: the booking is pending, and /pay starts the payment later", async () => {
    const { school, gateway } = razorpay;
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
    const { school } = stripe;
    const headers = { "Idempotency-Key": "book" };
    const answers = await times(4, () => untilAlone(() => book(school, { ...AT, ...PAGES }, { headers })));
    expect([...new Set(answers.map(({ text }) => text))]).toEqual([answers[0]?.text]);
    expect(answers[0]?.body.payment.payment_url).toMatch(/^http/);
    const key = { "Idempotency-Key": "pay" };
    const id = answers[0]?.body.booking.id ?? "";
    const payments = await times(4, () => untilAlone(() => pay(school, id, PAGES, key)));
    expect([...new Set(payments.map(({ text }) => text))]).toEqual([payments[0]?.text]);
    const noted = "SELECT count(*) AS noted FROM payment_intents WHERE ref_id = ?";
    expect(await school.company.rows(noted, id)).toEqual([{ noted: 1 }]);
  });
});

test.each(["side by side", "one after the other"])(
  "25 presses of Pay %s, each with another address to return to, open three payments at most",
  async (how) => {
    const { school } = stripe;
    const { id } = await newBooking(school, AT);
    const press = (n: number) => pay(school, id, { ...PAGES, return_url: `${PAGES.return_url}?press=${n}` });
    const presses = Array.from({ length: 25 }, (_, n) => n);
    const answers: Awaited<ReturnType<typeof press>>[] = [];
    if (how === "side by side") answers.push(...(await Promise.all(presses.map(press))));
    else for (const n of presses) answers.push(await press(n));
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    const opened = await school.company.rows(
      "SELECT payment_url FROM payment_intents WHERE ref_id = ? ORDER BY id",
      id,
    );
    expect(opened).toHaveLength(3);
    const last = expectStatus(await press(25), 200);
    expect(last.body.payment.payment_url).toBe(opened[2]?.payment_url);
    await expectSound(school.company);
  },
);

test("/pay where no gateway takes the currency is 422", async () => {
  const school = await openSchool({});
  const { id } = await newBooking(school, AT);
  expect(await pay(school, id)).toMatchObject({ status: 422, body: { code: "online_payment_not_enabled" } });
});

test.each(["/bookings", "/pay"])(
  "from a browser %s sends its visitor back to the key's origins only",
  async (door) => {
    const { school } = razorpay;
    const call = await browserOf(school.company);
    const { id } = await newBooking(school, AT);
    const send = (pages: object) =>
      door === "/pay"
        ? schoolCall(school.company, "POST", `/bookings/${id}/pay`, { body: pages, ...call })
        : book(school, { ...AT, start_time: "14:00", ...pages }, call);
    for (const field of ["return_url", "cancel_url"])
      expectRefused(await send({ ...PAGES, [field]: "https://evil.example/" }), {
        [field]: "origin_not_allowed",
      });
    expect((await send(PAGES)).status).toBe(door === "/pay" ? 200 : 201);
  },
);
