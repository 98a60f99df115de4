import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { payOut } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { refusal, wrongField } from "../refusal.ts";
import { endAtGateway, getRefund } from "./refunds.ts";
import { allDue, NOTHING_LEFT, withFaults } from "./sales.ts";
import { CANCELLATION, expectDue, expectSettled, PRICE, soldLesson } from "./sold-lesson.ts";

describe("all of a cancelled lesson goes back by one call, though its invoice cannot be voided", () => {
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

test("parts go back in the same order, and what fails is due again", async () => {
  const lesson = await soldLesson();
  const { company, shop } = lesson;
  const note = await lesson.note(20);
  await lesson.console(30);
  await lesson.cancel();
  expect(await lesson.post({ ...CANCELLATION, amount: 45.01 })).toMatchObject(
    refusal(422, "refund_exceeds_payment", { refundable_amount: 45 }),
  );
  await lesson.refund({ amount: 15 });
  await expectDue(lesson, 30);
  const sent = await withFaults(shop, { refund_pending: 2 }, () => lesson.refund());
  await expectDue(lesson, 0);
  await endAtGateway(shop, sent.gateway_refund_id, "failed");
  await expectDue(lesson, sent.amount);
  for (const sibling of sent.sibling_ids) {
    const other = await getRefund(company, sibling);
    await endAtGateway(shop, other.gateway_refund_id, "succeeded");
  }
  await lesson.refund();
  await expectSettled(lesson);
  expect(note.total_amount).toBe(20);
});

test("a part that its gateway gives no money back of is refused, and paid out by hand", async () => {
  const lesson = await soldLesson();
  const { company } = lesson;
  const note = await lesson.note(0.5);
  await lesson.cancel();
  expect(await lesson.post(CANCELLATION)).toMatchObject(wrongField("amount", "too_small"));
  expect(await lesson.sent()).toBe(0);
  must(await payOut(company, note.id, { amount: 0.5, payout_date: today() }), 201);
  await expectDue(lesson, PRICE - 0.5);
  await lesson.refund();
  await expectSettled(lesson, 0.5);
});
