import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { untilEarned } from "../bookings/money/books.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice, setClock } from "../commerce.ts";
import { payOut } from "../credit-notes/notes.ts";
import { refusal } from "../refusal.ts";
import { newBooking, readBooking, schoolCall } from "../school.ts";
import {
  AT,
  CODES,
  cancelByVisitor,
  closedLesson,
  DAY_S,
  expectCredited,
  notesOf,
  PRICE,
  REFUND,
  untilRefunded,
} from "./closed-lesson.ts";
import { endAtGateway } from "./refunds.ts";
import { allDue } from "./sales.ts";

describe.each(CODES)("a lesson whose invoice can not be voided (%s) gets a credit note of today", (code) => {
  test("by POST /refunds, over the amount that is listed as due", async () => {
    const lesson = await closedLesson(code);
    await lesson.cancel();
    expect(await lesson.due()).toEqual([PRICE]);
    expect(await lesson.refund(REFUND)).toMatchObject({ status: "succeeded", amount: PRICE });
    await expectCredited(lesson, PRICE);
  });

  test.each([
    ["India", "razorpay"],
    ["Australia", "stripe"],
  ] as const)("by a staff cancel with refund, in %s", async (_country, kind) => {
    const lesson = await closedLesson(code, { kind });
    await lesson.cancel({ refund: true });
    expect(await lesson.sent()).toBe(0);
    await untilRefunded(lesson);
    await expectCredited(lesson, PRICE);
  });

  test("by a visitor's cancel, where the school gives all back, as the read has said", async () => {
    const lesson = await closedLesson(code);
    const read = await schoolCall<{ booking: object }>(lesson.company, "GET", `/bookings/${lesson.id}`);
    expect(read.body.booking).toMatchObject({ cancellation: { refund_amount: PRICE } });
    expect((await cancelByVisitor(lesson)).status).toBe(200);
    expect(await lesson.read()).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect(await lesson.sent()).toBe(0);
    await untilRefunded(lesson);
    await expectCredited(lesson, PRICE);
    expect((await cancelByVisitor(lesson)).status).toBe(200);
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test("by staff who mark its money as paid back, also twice", async () => {
    const lesson = await closedLesson(code);
    await lesson.cancel();
    must(await lesson.patch({ payment_status: "refunded" }), 200);
    await expectCredited(lesson, 0);
    must(await lesson.patch({ payment_status: "refunded" }), 200);
    expect(await balancesOf(lesson.company)).toEqual({});
    // The gateway reports what they meant, and then that it failed.
    const { id } = await lesson.console();
    expect(await lesson.read()).toMatchObject({ payment_status: "refunded", needs_review: false });
    expect(await balancesOf(lesson.company)).toEqual({});
    await endAtGateway(lesson.shop, id, "failed");
    expect(await lesson.due()).toEqual([PRICE]);
    expect(await lesson.refund(REFUND)).toMatchObject({ status: "succeeded", amount: PRICE });
    expect(await balancesOf(lesson.company)).toEqual({});
  });
});

describe("marked as paid back, a lesson of a closed month", () => {
  test.each([
    ["that was paid in cash gives it back in cash", "return_filed", { kind: "cash" }],
    ["that bought a package gives all back", "period_locked", { isPackage: true }],
  ] as const)("%s", async (_what, code, wish) => {
    const lesson = await closedLesson(code, wish);
    await lesson.cancel();
    must(await lesson.patch({ payment_status: "refunded" }), 200);
    await expectCredited(lesson, 0);
  });

  test("that a note credits whole is marked once all of the note is paid out", async () => {
    const lesson = await closedLesson("return_filed", { kind: "cash" });
    const note = await lesson.note();
    await lesson.cancel();
    const mark = () => lesson.patch({ payment_status: "refunded" });
    expect(await mark()).toMatchObject(refusal(409, "has_credit_notes"));
    const payout = { amount: PRICE, payout_date: note.note_date, payment_mode_id: 1 };
    must(await payOut(lesson.company, note.id, payout), 201);
    must(await mark(), 200);
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test("that was paid twice gives both payments back by the mode that is named", async () => {
    const lesson = await closedLesson("period_locked", { outcome: "twice" });
    await lesson.cancel();
    must(await lesson.patch({ payment_status: "refunded", payment_mode_id: 1 }), 200);
    await expectCredited(lesson, 0, { Cash: -2 * PRICE, "Razorpay Clearing": 2 * PRICE });
  });

  test("that was given and earned, and is called off by the same call, earns nothing", async () => {
    const lesson = await closedLesson("return_filed");
    const { company } = lesson;
    await setClock(company, new Date(Date.parse(AT.booking_date) + 3 * DAY_S * 1_000).toISOString());
    await untilEarned(company, 1);
    must(await lesson.patch({ status: "cancelled", payment_status: "refunded" }), 200);
    expect(await balancesOf(company)).toEqual({});
  });

  test("whose tax may not be taken back any more keeps its invoice until a note has given back its value", async () => {
    const lesson = await closedLesson("return_filed");
    const { company } = lesson;
    const late = Number(AT.booking_date.slice(0, 4)) + 2;
    await setClock(company, `${late}-12-01T06:00:00Z`);
    const mark = () => lesson.patch({ payment_status: "refunded" });
    expect(await mark()).toMatchObject(refusal(409, "return_filed"));
    expect(await notesOf(lesson)).toEqual([]);
    const { taxable_total: value, tax_total: tax } = await getInvoice(company, lesson.invoiceId);
    expect(await lesson.refund(REFUND)).toMatchObject({ status: "succeeded", amount: value });
    expect(await notesOf(lesson)).toMatchObject([{ with_tax: false, total_amount: value }]);
    expect(await lesson.due()).toEqual([tax]);
    must(await mark(), 200);
    expect(await allDue(company)).toEqual([]);
  });
});

describe("all of a lesson of a closed month goes back", () => {
  test("where it bought a package: also what the lessons of it had earned", async () => {
    const lesson = await closedLesson("return_filed", { isPackage: true });
    const { company, school } = lesson;
    const [owned] = await company.rows("SELECT id FROM booking_packages");
    const prepaid = { product_id: null, booking_package_id: Number(owned?.id) };
    const other = await newBooking(school, { ...AT, start_time: "12:00", ...prepaid });
    await setClock(company, new Date(Date.parse(AT.booking_date) + 3 * DAY_S * 1_000).toISOString());
    await untilEarned(company, 2);
    expect(await lesson.refund(REFUND)).toMatchObject({ status: "succeeded", amount: PRICE });
    expect(await lesson.read()).toMatchObject({ payment_status: "refunded", refunded_amount: PRICE });
    expect(await company.rows("SELECT status FROM booking_packages")).toEqual([{ status: "cancelled" }]);
    expect((await readBooking(company, other.id)).status).toBe("confirmed");
    const { "Lesson Income": income, ...rest } = await balancesOf(company);
    expect({ income, rest }).toEqual({ rest: {} });
  });

  test("where a note credits a part: the rule leaves it to staff, who send the rest to the paisa, and can not mark it", async () => {
    const lesson = await closedLesson("return_filed");
    const { company } = lesson;
    const note = await lesson.note(123.45);
    expect((await cancelByVisitor(lesson)).status).toBe(200);
    expect(await lesson.patch({ payment_status: "refunded" })).toMatchObject(
      refusal(409, "has_credit_notes"),
    );
    expect(await lesson.due()).toEqual([PRICE]);
    const first = await lesson.refund(REFUND);
    expect(first).toMatchObject({ amount: note.total_amount, credit_note_id: note.id });
    expect(await lesson.sent()).toBe(PRICE);
    expect(await lesson.read()).toMatchObject({ payment_status: "refunded", refunded_amount: PRICE });
    expect(await allDue(company)).toEqual([]);
    expect(await balancesOf(company)).toEqual({});
  });

  test("where it was paid twice: what waits first; what fails late is due again", async () => {
    const lesson = await closedLesson("return_filed", { outcome: "twice" });
    await lesson.cancel();
    expect(await lesson.due()).toEqual([2 * PRICE]);
    const waiting = await lesson.refund(REFUND);
    expect(waiting).toMatchObject({ status: "succeeded", amount: PRICE, credit_note_id: null });
    expect(await lesson.sent()).toBe(2 * PRICE);
    const [credited] = await lesson.company.rows(
      "SELECT gateway_refund_id AS id FROM gateway_refunds WHERE credit_note_id IS NOT NULL",
    );
    await endAtGateway(lesson.shop, String(credited?.id), "failed");
    expect(await lesson.due()).toEqual([PRICE]);
    expect(await lesson.refund(REFUND)).toMatchObject({ status: "succeeded", amount: PRICE });
    expect(await allDue(lesson.company)).toEqual([]);
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test.each(["refund", "cancel", "mark"])(
    "where it has a receipt and no invoice yet: the receipt ends (%s)",
    async (how) => {
      const lesson = await closedLesson("period_locked", { hasInvoice: false });
      if (how !== "cancel") await lesson.cancel();
      if (how === "refund") await lesson.refund(REFUND);
      else if (how === "mark") must(await lesson.patch({ payment_status: "refunded" }), 200);
      else expect((await cancelByVisitor(lesson)).status).toBe(200);
      await untilRefunded(lesson);
      expect(await allDue(lesson.company)).toEqual([]);
      expect(await balancesOf(lesson.company)).toEqual({});
    },
  );
});
