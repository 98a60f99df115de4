import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { newRefund } from "../refunds/refunds.ts";
import { setRules } from "../school.ts";
import { openShop, placeOrder } from "../storefront/shop.ts";
import { EMAIL } from "./lesson-mails.ts";
import { LATER, leaveRefund, paidLesson, withPaidLesson } from "./lesson-refunds.ts";
import { linesOf, onlyRules, runJob, setNotifications } from "./notified.ts";

const HOUR = 3_600_000;
const FAILED = { status: "failed", failure_code: "declined" };
/** A refund of what waits. */
const waiting = (amount: number) => ({ amount, advance_amount: amount });

/** A company with a lesson that was paid twice, whose refunds that fail are counted; the second payment waits. */
async function paidSchool() {
  const { company, number } = await withPaidLesson({ refund_failed: EMAIL }, {}, "twice");
  const [capture] = await company.rows(
    "SELECT id, gateway_payment_id AS payment FROM gateway_captures ORDER BY id DESC LIMIT 1",
  );
  return { company, number, payment: String(capture?.payment), captureId: String(capture?.id) };
}

// What an event of a call would say of its record.
const SNAPSHOTS = `UPDATE events SET snapshot = CASE resource
  WHEN 'refund' THEN (SELECT json_object('capture_id', capture_id, 'amount', refund.amount, 'currency', refund.currency,
      'gateway_payment_id', gateway_payment_id)
    FROM gateway_refunds AS refund JOIN gateway_captures ON gateway_captures.id = capture_id WHERE refund.id = record_id)
  WHEN 'booking' THEN (SELECT json_object('booking_number', booking_number) FROM bookings WHERE id = record_id)
  ELSE (SELECT json_object('order_number', order_number) FROM sales_orders WHERE id = record_id) END
  WHERE at = ${LATER}`;

/** Sends what is due at the hour's end; gives the mail's subject and text. */
async function mailOf(company: TestCompany): Promise<{ subject?: string; text?: string }> {
  await setNotifications(company, { company_recipients: ["office@asha.example"] });
  await company.rows(SNAPSHOTS);
  await runJob(company, { now: LATER + HOUR });
  const [row] = await company.rows(
    "SELECT details ->> '$.subject' AS subject, content FROM messages WHERE rule IS NOT NULL",
  );
  return row === undefined ? {} : { subject: String(row.subject), text: String(row.content) };
}

/** Lets these changes happen within the hour, each as an event of its own. */
async function happen(company: TestCompany, ...changes: string[]): Promise<void> {
  await company
    .database()
    .batch([
      ...changes,
      `UPDATE events SET at = ${LATER}, request_id = 'r', shape = 0, is_notified = 1 WHERE at IS NULL`,
    ]);
}

test("refunds that failed are counted for the company at the hour's end, with their payments, in its language", async () => {
  const { company, number, payment } = await paidSchool();
  await setNotifications(company, { default_language: "hi" });
  for (const amount of [1_000, 2_000]) await leaveRefund(company, { ...FAILED, ...waiting(amount) });
  expect(await linesOf(company)).toEqual(["refund_failed email company due"]);
  const { subject, text } = await mailOf(company);
  expect(subject).toBe("असफल रिफ़ंड: 2");
  expect(text).toContain(`<p>${number}: INR 10.00 (${payment}), ${number}: INR 20.00 (${payment})</p>`);
});

describe("before the hour's mail goes out, its content is checked again", () => {
  test("a refund that was retried is left out, and one that no call sent of a lesson that stands", async () => {
    const { company, number, payment } = await paidSchool();
    await leaveRefund(company, { ...FAILED, ...waiting(1_000) });
    await leaveRefund(company, { ...waiting(1_000), retry_of: 1 });
    await leaveRefund(company, { ...FAILED, amount: 2_000, source: "gateway" });
    await leaveRefund(company, { ...FAILED, ...waiting(3_000) });
    await leaveRefund(company, { ...FAILED, ...waiting(3_000), retry_of: 4 });
    const { subject, text } = await mailOf(company);
    expect(subject).toBe("Refunds that failed: 1");
    expect(text).toContain(`<p>${number}: INR 30.00 (${payment})</p>`);
  });

  test("money that its gateway had given back, and that waits again, is listed", async () => {
    const { company, number, payment } = await paidSchool();
    await leaveRefund(company, { ...FAILED, ...waiting(2_000), source: "gateway" });
    expect((await mailOf(company)).text).toContain(`<p>${number}: INR 20.00 (${payment})</p>`);
  });

  test("where no refund is left, no mail goes out", async () => {
    const { company } = await paidSchool();
    await leaveRefund(company, { ...FAILED, ...waiting(1_000) });
    await leaveRefund(company, {
      ...waiting(1_000),
      retry_of: 1,
      status: "created",
      settled_at: null,
      next_look_at: LATER * 2,
    });
    await leaveRefund(company, { ...FAILED, amount: 2_000, source: "gateway" });
    expect(await mailOf(company)).toEqual({});
    expect(await linesOf(company)).toEqual(["refund_failed email company skipped no_longer_so"]);
  });

  test("a refund whose money went back by another one is left out", async () => {
    const { company } = await paidSchool();
    await leaveRefund(company, { ...FAILED, ...waiting(7_500) });
    await leaveRefund(company, waiting(7_500));
    expect(await mailOf(company)).toEqual({});
    expect(await linesOf(company)).toEqual(["refund_failed email company skipped no_longer_so"]);
  });

  test("a refund whose money staff gave back outside is left out", async () => {
    const { company, captureId } = await paidSchool();
    await leaveRefund(company, { ...FAILED, ...waiting(7_500) });
    const body = { outside_reference: "cash, 3 June" };
    must(await company.call("POST", `/ledger/:company/captures/${captureId}/settle`, { body }), 200);
    expect(await mailOf(company)).toEqual({});
  });

  test("money that several refunds failed to send is listed once, by the newest", async () => {
    const { company, number, payment } = await paidSchool();
    for (const amount of [7_500, 7_400, 7_500]) await leaveRefund(company, { ...FAILED, ...waiting(amount) });
    const { subject, text } = await mailOf(company);
    expect(subject).toBe("Refunds that failed: 1");
    expect(text).toContain(`<p>${number}: INR 75.00 (${payment})</p>`);
  });

  test("of a credit note, a refund is listed as long as the note has unused credit", async () => {
    const { school, gateway } = await openWithGateway();
    const { company } = school;
    await setRules(company, { issue_invoices: true });
    await onlyRules(company, { refund_failed: EMAIL });
    await setNotifications(company, { company_recipients: ["office@asha.example"] });
    const { id, number } = await paidLesson(school);
    await gatewayFaults(company, gateway, { refund_refused: 1 });
    const part = { booking_id: id, amount: 20, reason: "deficiency" };
    const { credit_note_id: note } = await newRefund(company, part);
    const [due] = await company.rows("SELECT occasion FROM notifications WHERE rule = 'refund_failed'");
    const ofNow = { now: (Number(due?.occasion) + 1) * HOUR };
    await runJob(company, ofNow);
    const [mail] = await company.rows("SELECT content FROM messages WHERE rule IS NOT NULL");
    expect(mail?.content).toContain(`${number}: INR 20.00`);
    await company.rows(
      "UPDATE notifications SET state = 'due', message_id = NULL, ended_at = NULL WHERE rule = 'refund_failed'",
    );
    await gatewayFaults(company, gateway, { refund_refused: 0 });
    await newRefund(company, { credit_note_id: note, reason: "deficiency" });
    await runJob(company, ofNow);
    expect(await linesOf(company)).toEqual(["refund_failed email company skipped no_longer_so"]);
  });

  test("bookings whose review has ended are left out", async () => {
    const { company, number } = await withPaidLesson({ booking_review: EMAIL });
    await happen(company, "UPDATE bookings SET needs_review = 1", "UPDATE bookings SET needs_review = 0");
    await runJob(company, { now: LATER + HOUR });
    expect(await linesOf(company)).toEqual(["booking_review email company skipped no_longer_so"]);
    await company.rows("DELETE FROM notifications");
    await happen(company, "UPDATE bookings SET needs_review = 1");
    expect(await mailOf(company)).toMatchObject({
      subject: "Bookings to look at: 1",
      text: expect.stringContaining(`<p>${number}</p>`),
    });
  });

  test("orders whose review has ended are left out", async () => {
    const { company } = await openShop();
    await onlyRules(company, { order_review: EMAIL });
    const [ended, open] = [await placeOrder(company), await placeOrder(company)];
    const review = (id: number, code: string) =>
      `UPDATE sales_orders SET review_code = ${code} WHERE id = ${id}`;
    const code = "'refunded_at_gateway'";
    await happen(
      company,
      review(ended.order_id, code),
      review(open.order_id, code),
      review(ended.order_id, "NULL"),
    );
    expect(await mailOf(company)).toMatchObject({
      subject: "Orders to look at: 1",
      text: expect.stringContaining(`<p>${open.order_number}</p>`),
    });
  });
});
