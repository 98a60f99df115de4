import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { type Connected, leaveCapture } from "../../support/gateways.ts";
import { openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { arrived, newAddress } from "../messaging/provider.ts";
import { newRefund } from "../refunds/refunds.ts";
import { setRules } from "../school.ts";
import { deliver, openShop, placeOrder, razorpayEvent, shopper } from "../storefront/shop.ts";
import { EMAIL, mailsTo } from "./lesson-mails.ts";
import { LATER, leaveRefund, paidLesson, withPaidLesson } from "./lesson-refunds.ts";
import { dueAt, linesOf, onlyRules, runJob, settledLines } from "./notified.ts";

const BOTH = { refund_sent: EMAIL, refund_failed: EMAIL };

const cancel = async (company: TestCompany, id: string) =>
  must(await company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body: {} }), 200);

/** What Razorpay reports of a refund of the newest payment that it took. */
async function reportRefund(
  company: TestCompany,
  connected: Pick<Connected, "merchant">,
  { amount = 7_500, status = "processed", id = `rfnd_${randomBytes(7).toString("hex")}` } = {},
): Promise<string> {
  const [capture] = await company.rows(
    "SELECT gateway_payment_id AS payment_id, currency FROM gateway_captures ORDER BY id DESC LIMIT 1",
  );
  const refund = { id, entity: "refund", amount, status, receipt: null, ...capture };
  const payment = { id: capture?.payment_id, entity: "payment", captured: true };
  const event = {
    entity: "event",
    event: `refund.${status}`,
    created_at: Math.floor(Date.now() / 1_000),
    payload: { refund: { entity: refund }, payment: { entity: payment } },
  };
  must(await deliver(company, connected, event), 200);
  return id;
}

test("a refund of a lesson is reported to who booked it, in their language, with its amount", async () => {
  const { company, gateway, email, number } = await withPaidLesson(
    { ...BOTH, refund_made: EMAIL, booking_refunded: EMAIL },
    { language: "hi-IN" },
  );
  await reportRefund(company, gateway, { amount: 2_500 });
  const { subject, text } = await arrived(email);
  expect(subject).toBe("₹25.00 आपको लौटा दिए गए हैं");
  expect(text).toContain(`यह भुगतान इसके लिए था: बुकिंग ${number}`);
  expect(text).toContain("₹50.00 का भुगतान बना हुआ है।");
  expect(text).toMatch(/विवरण देखें \(http\S+\/b\/\S+\?lang=hi\)/);
  expect(await settledLines(company)).toEqual(["refund_sent email customer sent"]);
});

test("a refund of an order is reported to its shopper, once, however often its gateway says it", async () => {
  const { company, connected } = await openShop();
  await onlyRules(company, { ...BOTH, refund_made: EMAIL });
  const email = newAddress();
  const placed = await placeOrder(company, { customer: { ...shopper, email } });
  await deliver(company, connected, razorpayEvent(placed));
  const id = await reportRefund(company, connected, { amount: 4_000 });
  await reportRefund(company, connected, { amount: 4_000, id });
  const { subject, text } = await arrived(email);
  expect(subject).toBe("We have sent ₹40.00 back to you");
  expect(text).toContain("We have sent ₹40.00 back to you.");
  expect(text).toContain(`You had paid it for order ${placed.order_number}.`);
  expect(text).toMatch(/See the details \(http\S+\/i\/\S+\)/);
  expect(text).toContain("₹60.00 stays paid.");
  expect(await settledLines(company)).toEqual(["refund_sent email customer sent"]);
});

test("a part of an invoice's money is reported with its rest, also to a person without a name", async () => {
  const { school, gateway } = await openWithGateway();
  const { company } = school;
  await setRules(company, { issue_invoices: true });
  await onlyRules(company, BOTH);
  const { email, id, number } = await paidLesson(school);
  await company.rows("UPDATE bookings SET contact_name = ''");
  await newRefund(company, { booking_id: id, amount: 10, reason: "deficiency" });
  const { text } = await arrived(email);
  expect(text).not.toContain("Dear");
  expect(text).toContain(`You had paid it for booking ${number}.`);
  expect(text).toContain("₹65.00 stays paid.");
  await reportRefund(company, gateway, { amount: 6_500 });
  const [latest] = (await mailsTo(email, 2)).slice(-1);
  expect(latest?.text).toContain("We have sent ₹65.00 back to you.");
  expect(latest?.text).not.toContain("stays paid");
});

test("of a lesson that was paid twice, what comes back yet is named, and what stays paid", async () => {
  const { company, gateway, email } = await withPaidLesson(BOTH, {}, "twice");
  await reportRefund(company, gateway, { amount: 2_500 });
  const { text } = await arrived(email);
  expect(text).toContain("We will pay another ₹50.00 back to you. ₹75.00 stays paid.");
});

test("of a payment that no person is known of, no person gets a mail", async () => {
  const { company, connected } = await openShop();
  await onlyRules(company, BOTH);
  await leaveCapture(company, connected);
  await reportRefund(company, connected, { amount: 35_400 });
  expect(await settledLines(company, "rule=refund_sent")).toEqual([
    "refund_sent email customer skipped no_address",
  ]);
});

test("a refund that its bank sent back meanwhile is not reported as made", async () => {
  const { company, gateway } = await withPaidLesson({});
  const id = await reportRefund(company, gateway);
  await reportRefund(company, gateway, { id, status: "failed" });
  await onlyRules(company, BOTH);
  const of = { rule: "refund_sent", recipient: "customer", resource: "refund", record_id: "1" };
  await dueAt(company, LATER, of);
  await runJob(company, { now: LATER });
  expect(await linesOf(company)).toEqual(["refund_sent email customer skipped no_longer_so"]);
});

test("what the payer's bank took back is no refund of the company, nor is its return a failure", async () => {
  const { company } = await withPaidLesson(BOTH);
  const returned =
    "UPDATE gateway_refunds SET status = 'failed', failure_code = 'chargeback_reversed' WHERE source = 'chargeback'";
  await leaveRefund(company, { source: "chargeback" }, [returned]);
  expect(await company.rows("SELECT type FROM events WHERE resource = 'refund'")).toHaveLength(3);
  expect(await linesOf(company)).toEqual([]);
});

test("a cancelled lesson's mail promises nothing back of what the payer's bank took", async () => {
  const { company, email, id } = await withPaidLesson({});
  await leaveRefund(company, { source: "chargeback" });
  await onlyRules(company, { booking_cancelled: { ...EMAIL, audience: ["customer"] } });
  await cancel(company, id);
  expect((await arrived(email)).text).not.toMatch(/back to you|stays paid/);
});

test.each([
  ["refund_sent", { refund_sent: EMAIL, booking_refunded: EMAIL }],
  ["booking_refunded", { booking_refunded: EMAIL }],
])("one mail reports a lesson that its gateway refunded: %s, of the rules %j", async (rule, rules) => {
  const { company } = await withPaidLesson(rules);
  await leaveRefund(company, {}, ["UPDATE bookings SET payment_status = 'refunded'"]);
  expect(await linesOf(company)).toEqual([`${rule} email customer due`]);
});

test("a lesson whose money came back by hand is reported, also where its gateway gave a part back before", async () => {
  const { company, gateway, id } = await withPaidLesson({ ...BOTH, booking_refunded: EMAIL });
  await reportRefund(company, gateway, { amount: 1_000 });
  await cancel(company, id);
  const body = { payment_status: "refunded" };
  must(await company.call("PATCH", `/settings/:company/bookings/${id}`, { body }), 200);
  expect(await settledLines(company)).toEqual([
    "refund_sent email customer sent",
    "booking_refunded email customer sent",
  ]);
});

test.each([
  ["twice", "₹150.00"],
  ["wrong_amount", "₹74.99"],
] as const)("a cancelled lesson's mail names all that comes back of it: paid %s", async (outcome, sum) => {
  const { company, email, id } = await withPaidLesson({}, {}, outcome);
  await onlyRules(company, { booking_cancelled: { ...EMAIL, audience: ["customer"] } });
  await cancel(company, id);
  expect((await arrived(email)).text).toContain(`We will pay ${sum} back to you.`);
});

test.each([false, true])(
  "a refund at the gateway's console is reported once, also where staff end the sale after it (invoices: %s)",
  async (issue_invoices) => {
    const { school, gateway } = await openWithGateway();
    const { company } = school;
    await setRules(company, { issue_invoices });
    await onlyRules(company, { ...BOTH, booking_refunded: EMAIL });
    const { id } = await paidLesson(school);
    await reportRefund(company, gateway);
    await cancel(company, id);
    const body = { payment_status: "refunded" };
    if (issue_invoices) {
      const [sale] = await company.rows("SELECT invoice_id FROM lesson_sales");
      const note = { reason: "cancellation" };
      await company.make(`/invoices/:company/${sale?.invoice_id}/credit-notes`, note);
    } else must(await company.call("PATCH", `/settings/:company/bookings/${id}`, { body }), 200);
    expect(await company.rows("SELECT payment_status FROM bookings")).toEqual([
      { payment_status: "refunded" },
    ]);
    expect(await settledLines(company)).toEqual(["refund_sent email customer sent"]);
  },
);

test("a cancelled lesson's mail names what is still due of its price, and its refund is reported once", async () => {
  const { company, gateway, email, id } = await withPaidLesson({});
  await reportRefund(company, gateway, { amount: 1_000 });
  await onlyRules(company, {
    ...BOTH,
    booking_refunded: EMAIL,
    booking_cancelled: { ...EMAIL, audience: ["customer"] },
  });
  await cancel(company, id);
  expect((await arrived(email)).text).toContain("We will pay ₹65.00 back to you.");
  await newRefund(company, { booking_id: id, reason: "cancellation" });
  const [latest] = (await mailsTo(email, 2)).slice(-1);
  expect(latest?.subject).toBe("We have sent ₹65.00 back to you");
  expect(await settledLines(company)).toEqual([
    "booking_cancelled email customer sent",
    "refund_sent email customer sent",
  ]);
});
