import { describe, expect, test } from "vitest";
import { type Call, must, openCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound, soundAtEnd } from "../../support/oracles.ts";
import { captured, LEADS, readLead } from "../leads/leads.ts";
import { tally, times } from "../money.ts";
import { newBoard } from "../projects/board.ts";
import { refusal, wrongField } from "../refusal.ts";
import { book, browserOf, daysAhead, newBooking, openSchool, STAFF_BOOKINGS } from "../school.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  orderState,
  placeOrder,
  postCheckout,
  razorpayEvent,
} from "../storefront/shop.ts";

const HOUR = 3_600;
const shop = soundAtEnd(await openShop());
const { company, connected } = shop;

describe("the same checkout again, with the id and the body of the first", () => {
  test("answers with the order and the payment that is open", async () => {
    const first = await placeOrder(company, { external_id: "shop-1" });
    const again = must(await postCheckout(company, { external_id: "shop-1" }), 200);
    const { order_id, payment_data, next_action } = first;
    expect(again.body).toMatchObject({ order_id, payment_data, next_action });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const id = String(order_id);
    expect(await company.read("/orders/:company?external_id=shop-1")).toMatchObject([
      { id, external_id: "shop-1" },
    ]);
    const other = await postCheckout(company, { external_id: "shop-1", notes: "More" });
    expect(other).toMatchObject(refusal(409, "duplicate_external_id", { id }));
  });

  test("of a paid order has no payment_data", async () => {
    const first = await placeOrder(company, { external_id: "shop-2" });
    must(await deliver(company, connected, razorpayEvent(first)), 200);
    const { body } = must(await postCheckout(company, { external_id: "shop-2" }), 200);
    expect(body).toMatchObject({ order_id: first.order_id, next_action: null, gateway: "razorpay" });
    expect(body).not.toHaveProperty("payment_data");
  });

  test("opens one payment anew where the first one ran out", async () => {
    const own = await openShop("stripe");
    const first = await placeOrder(own.company, { external_id: "shop-3" });
    await own.company.clock(2 * HOUR);
    const answers = await times(5, () => postCheckout(own.company, { external_id: "shop-3" }));
    expect(tally(answers)).toEqual({ 200: 5 });
    expect(new Set(answers.map(({ body }) => gatewayOrderOf(body))).size).toBe(1);
    const [{ body: second } = {} as never] = answers;
    expect(second.order_id).toBe(first.order_id);
    expect(gatewayOrderOf(second)).not.toBe(gatewayOrderOf(first));
    const intents = await own.company.rows("SELECT status FROM payment_intents ORDER BY id");
    expect(intents.map(({ status }) => status)).toEqual(["failed", "created"]);
    const pay = (placed: typeof first) => play(own.company, "stripe", gatewayOrderOf(placed), "paid");
    await expect(pay(first)).rejects.toThrow("The order is expired.");
    await pay(second);
    expect(await orderState(own.company, first.order_id)).toBe("invoiced paid");
    await expectSound(own.company);
  });

  test("keeps both payments where the one of before is paid too, whichever comes first", async () => {
    for (const isReversed of [false, true]) {
      const own = await openShop();
      const first = await placeOrder(own.company, { external_id: "shop-4" });
      await own.company.clock(2 * HOUR);
      const { body: second } = await postCheckout(own.company, { external_id: "shop-4" });
      for (const paid of isReversed ? [second, first] : [first, second])
        must(await deliver(own.company, own.connected, razorpayEvent(paid)), 200);
      expect(await getOrder(own.company, first.order_id)).toMatchObject({
        ...{ status: "invoiced", payment_status: "paid", needs_refund: true },
      });
      await expectSound(own.company);
    }
  });

  test("of 20 at once is one order with one payment", async () => {
    const own = await openShop();
    const answers = await times(20, () => postCheckout(own.company, { external_id: "shop-race" }));
    expect(tally(answers)).toEqual({ 200: 20 });
    expect(new Set(answers.map(({ body }) => `${body.order_id} ${gatewayOrderOf(body)}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(19);
  });
});

describe("a lead with an id of the caller's own", () => {
  test("is refused only where that lead is gone: a second id of the same person stands beside the first", async () => {
    const person = { name: "Rohan Mehta", email: "own-ids@mail.example" };
    const first = await captured(company, { ...person, external_id: "lead-1" });
    const again = await captured(company, { ...person, external_id: "lead-1" });
    expect(again).toEqual(first);
    const second = await captured(company, { ...person, message: "Again", external_id: "lead-2" });
    expect(second).toMatchObject({ id: first.id, duplicate: true });
    const other = await captured(company, { email: "asha-own@mail.example", external_id: "lead-1" });
    expect(other.id).not.toBe(first.id);
    const ids = { external_id: "lead-1", external_ids: ["lead-1", "lead-2"] };
    expect(await readLead(company, first.id)).toMatchObject({ ...ids, submission_count: 2 });
    expect((await readLead(company, other.id)).external_ids).toEqual([]);
    expect(await company.read(`${LEADS}?external_id=lead-2`)).toMatchObject([{ id: first.id }]);
  });

  test("leaves its keyed hash once the company keeps the lead no longer", async () => {
    const own = await openCompany();
    await own.change("/settings/:company/lead-settings", { retention_days: 30 });
    const person = { name: "Old", email: "old-own@mail.example", external_id: "lead-old" };
    const { id } = await captured(own, person);
    await own.clock(31 * 24 * HOUR);
    const hashed = "SELECT record_id, create_hash FROM external_ids WHERE external_id GLOB ' *'";
    await own.sweep(async () => (await own.rows(hashed)).length === 1);
    expect(await own.rows(hashed)).toEqual([{ record_id: String(id), create_hash: null }]);
    const again = await own.call("POST", "/leads/:company/capture", { body: person });
    expect(again).toMatchObject(refusal(409, "external_id_retired"));
    expect(await own.read(LEADS)).toEqual([]);
  });

  test("is one lead where 20 send it at once", async () => {
    const person = { name: "Racer", email: "race-own@mail.example", external_id: "lead-race" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => captured(company, person)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await readLead(company, answers[0]?.id ?? 0)).submission_count).toBe(1);
  });
});

test("a booking takes an id of its caller's from a secret key alone", async () => {
  const school = await openSchool();
  const fields = { external_id: "lesson-1", booking_date: daysAhead(7), start_time: "10:00" };
  const page = await book(school, fields, await browserOf(school.company));
  expect(page).toMatchObject(wrongField("external_id", "secret_key_required"));
  const { id, external_id } = await newBooking(school, fields);
  expect(external_id).toBe("lesson-1");
  const [listed] = await school.company.read<object[]>(`${STAFF_BOOKINGS}?external_id=lesson-1`);
  expect(listed).toMatchObject({ id, external_id: "lesson-1" });
  const read = async (call: Call) =>
    (await school.company.call("GET", `/schools/:company/bookings/${id}`, call)).body;
  expect(await read({})).toMatchObject({ booking: { external_id: "lesson-1" } });
  expect(await read(await browserOf(school.company))).not.toHaveProperty("booking.external_id");
  const later = await book(school, { ...fields, start_time: "15:00" });
  expect(later).toMatchObject(refusal(409, "duplicate_external_id", { id }));
});

test("work items are created and changed by the caller's own id, and moved by the state that comes with it", async () => {
  const [board, other] = [await newBoard(company), await newBoard(company)];
  const put = (body: object, on = board) => on.call("PUT", "/work-items/external/jira-7", { body });
  const { id, priority } = must(await put({ title: "Fix the tap", priority: "high" }), 201).body.data;
  const done = { title: "Fix the taps", state: "Done", state_category: "completed" };
  expect(must(await put(done), 200).body.data).toMatchObject({ ...done, id, priority });
  const elsewhere = await put({ title: "x" }, other);
  expect(elsewhere).toMatchObject(refusal(409, "duplicate_external_id", { id }));
  expect(await board.items("external_id=jira-7")).toMatchObject([{ id }]);
});
