import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { newInvoice } from "../commerce.ts";
import { applyNote, payOut } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { allDue, NOTHING_LEFT } from "./sales.ts";
import { CANCELLATION, expectDue, expectSettled, PRICE, soldLesson } from "./sold-lesson.ts";

describe("all of a cancelled lesson goes back by one call, though its invoice cannot be voided", () => {
  test("a note by hand credited all of it", async () => {
    const lesson = await soldLesson();
    await lesson.note();
    await lesson.cancel();
    await expectDue(lesson, PRICE);
    expect(await lesson.refund()).toMatchObject({
      status: "succeeded",
      amount: PRICE,
      booking_id: lesson.id,
    });
    await expectSettled(lesson);
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test("a note by hand credited a part", async () => {
    const lesson = await soldLesson();
    const note = await lesson.note(20);
    await lesson.cancel();
    await expectDue(lesson, PRICE);
    const first = await lesson.refund();
    expect(first).toMatchObject({ status: "succeeded", amount: 20, credit_note_id: note.id });
    expect(first.sibling_ids).toHaveLength(1);
    await expectSettled(lesson);
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test("another invoice was paid with its credit", async () => {
    const lesson = await soldLesson();
    const { company, customerId } = lesson;
    const other = await newInvoice(company, customerId);
    const note = await lesson.note(40);
    must(await applyNote(company, note.id, other.id, 30), 200);
    await lesson.cancel();
    await expectDue(lesson, PRICE - 30);
    await lesson.refund();
    await expectSettled(lesson, 30);
    // The other invoice is not paid any more once it is voided: its credit is due back.
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    await expectDue(lesson, 30);
    await lesson.refund();
    await expectSettled(lesson);
  });

  test("a part was paid out before", async () => {
    const lesson = await soldLesson();
    const note = await lesson.note(25);
    must(await payOut(lesson.company, note.id, { amount: 25, payout_date: today() }), 201);
    await lesson.cancel();
    await expectDue(lesson, PRICE - 25);
    expect(await lesson.refund()).toMatchObject({ amount: PRICE - 25, sibling_ids: [] });
    expect(await lesson.sent()).toBe(PRICE - 25);
    expect(await allDue(lesson.company)).toEqual([]);
    expect(await lesson.read()).toMatchObject({ payment_status: "refunded" });
    await expectSound(lesson.company);
  });

  test.each([true, false])("all was paid out (before the cancel: %s)", async (isBefore) => {
    const lesson = await soldLesson();
    const note = await lesson.note();
    if (!isBefore) await lesson.cancel();
    must(await payOut(lesson.company, note.id, { amount: PRICE, payout_date: today() }), 201);
    if (isBefore) await lesson.cancel();
    expect(await lesson.sent()).toBe(0);
    await expectDue(lesson, 0);
    expect(await lesson.read()).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    expect(await lesson.post(CANCELLATION)).toMatchObject(NOTHING_LEFT);
    await expectSound(lesson.company);
  });

  test("the gateway's console gave back a part", async () => {
    const lesson = await soldLesson();
    await lesson.console(25);
    await lesson.cancel();
    await expectDue(lesson, PRICE - 25);
    expect(await lesson.refund()).toMatchObject({ status: "succeeded", amount: PRICE - 25 });
    await expectSettled(lesson);
    expect(await lesson.read()).toMatchObject({ needs_review: false });
    expect(await balancesOf(lesson.company)).toEqual({});
  });

  test.each([
    { console: 30, credited: 20 },
    { console: 10, credited: 20 },
  ])("the gateway's console gave back $console, and a note credited $credited", async (part) => {
    const lesson = await soldLesson();
    await lesson.note(part.credited);
    await lesson.console(part.console);
    await lesson.cancel();
    await expectDue(lesson, PRICE - part.console);
    await lesson.refund();
    await expectSettled(lesson);
    expect(await lesson.read()).toMatchObject({ needs_review: false });
    expect(await balancesOf(lesson.company)).toEqual({});
  });
});

test("a lesson that was paid twice, and has a note: what waits goes first, then credit, then the rest", async () => {
  const lesson = await soldLesson("twice");
  await lesson.note(20);
  await lesson.cancel();
  await expectDue(lesson, 2 * PRICE);
  const first = await lesson.refund();
  expect(first).toMatchObject({ amount: PRICE, credit_note_id: null });
  expect(first.sibling_ids).toHaveLength(2);
  expect(await lesson.sent()).toBe(2 * PRICE);
  expect(await allDue(lesson.company)).toEqual([]);
  expect(await lesson.read()).toMatchObject({ payment_status: "refunded", refunded_amount: 2 * PRICE });
  expect(await balancesOf(lesson.company)).toEqual({});
  await expectSound(lesson.company);
});
