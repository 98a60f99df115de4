import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { refusal } from "../refusal.ts";
import { book, daysAhead } from "../school.ts";
import { ledgerOf, newRefund, paidOrder, refundsOf } from "./refunds.ts";

const MINUTE = 60;
const PAGES = { return_url: "https://book.example.com/thanks", cancel_url: "https://book.example.com/back" };

type Settings = { auto_refund: string; auto_since: string | null };
const path = "/settings/:company/refund-settings";
const set = (company: TestCompany, value: string) =>
  company.call<Settings>("PATCH", path, { body: { auto_refund: value } });

test("what comes twice or too late goes back once by itself after 15 minutes, where the company wants that", async () => {
  const { school, gateway: connected } = await openWithGateway();
  const { company } = school;
  const shop = { company, connected };
  const before = must(await company.call<Settings>("GET", path), 200).body.data;
  expect(before).toEqual({ auto_refund: "off", auto_since: null });
  const key = await company.key("settings:write");
  const body = { auto_refund: "duplicates_and_late" };
  expect(await company.call("PATCH", path, { key, body })).toMatchObject(
    refusal(403, "insufficient_scope", { required_scope: "refunds:write" }),
  );
  const byStaff = await paidOrder(shop);
  await company.sweep(async () => true);
  expect(await refundsOf(company)).toEqual([]);

  const on = must(await set(company, "duplicates_and_late"), 200).body.data;
  expect(on).toEqual({ auto_refund: "duplicates_and_late", auto_since: expect.any(String) });
  expect(must(await set(company, "duplicates_and_late"), 200).body.data).toEqual(on);
  await paidOrder(shop, "paid");
  const twice = await paidOrder(shop);
  const refundedByStaff = await paidOrder(shop);
  await newRefund(company, { capture_id: refundedByStaff.captureId, amount: 40 });
  // The hold of the lesson has run out, and the lesson has begun, once its money comes.
  const booked = await book(school, { booking_date: daysAhead(7), start_time: "10:00", ...PAGES });
  const { booking, payment } = booked.body;
  await company.rows(
    "UPDATE bookings SET start_at = start_at - 691200000, end_at = end_at - 691200000 WHERE id = ?",
    booking.id,
  );
  await play(company, "razorpay", String(payment.payment_data?.gateway_order_id), "paid");
  await company.clock(14 * MINUTE);
  await company.sweep(async () => true);
  expect(await refundsOf(company)).toEqual(["api succeeded 4000"]);

  await company.clock(16 * MINUTE);
  await company.sweep(
    async () => (await refundsOf(company)).filter((one) => /succeeded/.test(one)).length === 3,
  );
  const back = await company.rows(
    "SELECT capture_id, amount, reason FROM gateway_refunds WHERE operation GLOB 'auto:*' ORDER BY capture_id",
  );
  expect(back).toEqual([
    { capture_id: Number(twice.captureId), amount: 10_000, reason: "duplicate_payment" },
    { capture_id: expect.any(Number), amount: 100 * booking.total_amount, reason: "late_payment" },
  ]);
  await company.sweep(async () => true);
  expect(await ledgerOf(shop)).toHaveLength(3);
  const [waits] = await company.rows(
    "SELECT advance_amount FROM gateway_captures WHERE id = ?",
    byStaff.captureId,
  );
  expect(waits).toEqual({ advance_amount: 10_000 });
  const [late] = await company.rows("SELECT payment_status FROM bookings WHERE id = ?", booking.id);
  expect(late).toEqual({ payment_status: "refunded" });
  const again =
    "INSERT INTO gateway_refunds SELECT * FROM (SELECT * FROM gateway_refunds WHERE operation GLOB 'auto:*' LIMIT 1)";
  await expect(company.rows(again)).rejects.toThrow();
  expect(must(await set(company, "off"), 200).body.data).toEqual({ auto_refund: "off", auto_since: null });
  await expectSound(company);
});
