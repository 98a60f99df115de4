import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "#api/operations/operation.ts";
import { addDays } from "#shared/time/dates.ts";
import { newCompany } from "../../src/build/schema.ts";
import { operations } from "../../src/wiring/operations.ts";
import { newCustomer, newInvoice } from "../features/commerce.ts";
import { clientOf, must, openCompany, type TestCompany } from "../support/company.ts";
import { exampleOf } from "../support/examples.ts";
import { type Kind, leaveForeign, leaveReport, play } from "../support/gateways.ts";
import { prepare } from "../support/operations.ts";
import { untilQuiet } from "../support/round-trips.ts";
import type { DemoCompanies } from "./demo.ts";

type Made = { id: string; total_amount: number };
type Placed = { order_id: number; payment_data: { gateway_order_id: string } };
type Held = { booking: { id: string }; payment: { payment_data: { gateway_order_id: string } } };

const TRY_MS = 200;
const MOST_TRIES = 600;
const DAY_S = 86_400;
const SOON = "2026-11-23";
const HOLD_OVER_S = 1_200;
const REPEATED = { name: "Anita Deshpande", email: "anita@mail.example" };
/** Numbers of which the stand-in knows by itself what becomes of their messages. */
const WRITER = "919845067890";
const FAILS = "919845000002";
const ARRIVES = "919845000001";

/** What people, gateways and providers do to the demo companies, and what no call of the operations' examples finds or leaves. */
export async function playScenes(demo: DemoCompanies): Promise<void> {
  const { traders, other } = demo;
  const late =
    "SELECT 1 FROM invoices WHERE amount_due > 0 AND overdue_since IS NULL AND due_date < '2026-11-21'";
  await untilTrue(
    async () => (await traders.rows(late)).length === 0,
    "an invoice is overdue, and the clock has not seen it",
  );
  // A lesson that nothing has to be paid for online.
  const { method, path, body } = await prepare(
    other,
    operations.find(({ id }) => id === "createBooking") as Operation,
  );
  must(await other.call(method, path, { body }), 201);
  must(
    await traders.call("POST", "/messaging/:company/chatapp", {
      body: { ...bodyOf("sendChatapp"), to: WRITER },
    }),
    202,
  );
  await untilQuiet(traders);
  await fetch(`${demo.service.messagesUrl}/messages/replies`, {
    method: "POST",
    body: JSON.stringify({ from: WRITER, text: "Is it ready?" }),
  });
  await until(traders, "message.received");
  await leaveOnDemand(traders);
  for (let times = 0; times < 2; times += 1)
    must(
      await other.call("POST", "/leads/:company/capture", {
        body: { ...REPEATED, message: `Do you deliver to Pune? ${times}` },
      }),
      200,
    );
  await leaveForeign(other);
  await leaveReport(other);
  const { slug } = await openCompany({ slug: "doctor-0123456789abcdef" }, demo.service);
  const sql = "UPDATE companies SET migrated_as = 'an older release' WHERE slug = ?";
  await clientOf("control", demo.service).execute({ sql, args: [slug] });
  const { id } = await newCustomer(other);
  await newInvoice(other, id, { invoice_date: "2001-01-01" });
}

/** What leaves the events that no operation of an example leaves. */
export async function playEvents({ traders, school, other }: DemoCompanies): Promise<void> {
  for (const company of [traders, school]) await company.raiseLimit();
  await payOrders(traders);
  await payLessons(school);
  await providerIsRefused(other);
  await until(traders, "order.refunded");
  await until(other, "provider.unhealthy");
}

/** Puts an empty company into a spare database, as a restore does. */
export async function fillSpare({ service }: DemoCompanies, name: string): Promise<void> {
  const sql = (await newCompany()).join(String(Date.now()));
  await clientOf(name, service).executeMultiple(`BEGIN;${sql};COMMIT`);
}

function bodyOf(id: string): Record<string, unknown> {
  return exampleOf({ id }).body as Record<string, unknown>;
}

/** Types that are recorded while an endpoint asks for them, and what else leaves them. */
async function leaveOnDemand(traders: TestCompany) {
  await traders.rows(
    "INSERT INTO event_types_wanted (type) VALUES ('stock.moved'), ('message.status_changed')",
  );
  const lamp = { name: "Desk lamp", unit_id: "1", selling_price: 1_290, track_stock: true, opening_stock: 6 };
  const { id } = await traders.make<Made>("/products/:company", { ...lamp, low_stock_threshold: 5 });
  await traders.make(`/products/:company/${id}/stock-adjustments`, bodyOf("adjustStock"));
  for (const to of [FAILS, ARRIVES])
    must(await traders.call("POST", "/messaging/:company/sms", { body: { ...bodyOf("sendSms"), to } }), 202);
  for (const type of ["message.failed", "message.status_changed"]) await until(traders, type);
  await untilQuiet(traders);
  await traders.rows("DELETE FROM event_types_wanted");
}

async function payOrders(traders: TestCompany) {
  const place = async () =>
    must(await traders.call("POST", "/storefront/:company/checkout", { body: bodyOf("checkout") }), 200)
      .body as unknown as Placed;
  const [odd, whole] = [await place(), await place()];
  await play(traders, "razorpay", odd.payment_data.gateway_order_id, "wrong_amount");
  await play(traders, "razorpay", whole.payment_data.gateway_order_id, "paid");
  const body = { order_id: String(whole.order_id), reason: "cancellation" };
  must(await traders.call("POST", "/refunds/:company", { body }), 201);
}

async function payLessons(school: TestCompany) {
  const lesson = bodyOf("createBooking");
  const book = async (days: number, kind?: Kind, outcome: "paid" | "twice" | "wrong_amount" = "paid") => {
    const body = { ...lesson, booking_date: addDays(String(lesson.booking_date), days) };
    const booked = must(await school.call("POST", "/schools/:company/bookings", { body }), 201)
      .body as unknown as Held;
    const { id } = booked.booking;
    const asked = must(
      await school.call("POST", `/schools/:company/bookings/${id}/pay`, { body: bodyOf("payBooking") }),
      200,
    );
    const { payment } = asked.body as unknown as Held;
    if (kind !== undefined) await play(school, kind, payment.payment_data.gateway_order_id, outcome);
    return id;
  };
  const refund = async (body: object) => must(await school.call("POST", "/refunds/:company", { body }), 201);
  const [paid, cancelled] = [await book(1, "stripe"), await book(2, "stripe")];
  await refund({ booking_id: paid, amount: 10, reason: "cancellation" });
  must(
    await school.call("POST", `/settings/:company/bookings/${cancelled}/cancel`, {
      body: bodyOf("cancelStaffBooking"),
    }),
    200,
  );
  await refund({ booking_id: cancelled, reason: "cancellation" });
  await book(3, "stripe", "wrong_amount");
  await book(6);
  for (const start_time of ["09:00", "11:00"])
    await school.make("/settings/:company/bookings", {
      ...bodyOf("createStaffBooking"),
      ...{ booking_date: SOON, start_time },
    });
  for (const type of ["booking.refunded", "booking.partly_refunded", "booking.review_needed"])
    await until(school, type);
}

/** Time passes over a hold that is not paid, and over lessons. */
export async function endLessons({ school }: DemoCompanies): Promise<void> {
  const given = await school.read<Made[]>(`/settings/:company/bookings?booking_date=${SOON}`);
  await school.clock(HOLD_OVER_S);
  await until(school, "booking.expired");
  await school.clock(4 * DAY_S);
  for (const [index, status] of ["completed", "no_show"].entries())
    await school.change(`/settings/:company/bookings/${given[index]?.id}`, { status });
}

async function providerIsRefused(other: TestCompany) {
  const provider = { channel: "sms", kind: "msg91", config: { auth_key: "demo-key-that-is-refused" } };
  await other.make("/settings/:company/messaging-providers", { ...provider, is_default: true });
  must(await other.call("POST", "/messaging/:company/sms", { body: bodyOf("sendSms") }), 202);
}

/** Waits for the first event of a type. */
function until(company: TestCompany, type: string): Promise<void> {
  const path = `/settings/:company/events?type=${type}`;
  return untilTrue(async () => (await company.read<unknown[]>(path)).length > 0, `No event ${type}`);
}

async function untilTrue(condition: () => Promise<boolean>, problem: string): Promise<void> {
  for (let tries = 0; !(await condition()); tries += 1) {
    if (tries === MOST_TRIES) throw new Error(problem);
    await sleep(TRY_MS);
  }
}
