import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { payOut } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { refusal, wrongField } from "../refusal.ts";
import { endAtGateway, getRefund } from "./refunds.ts";
import { withFaults } from "./sales.ts";
import { CANCELLATION, expectDue, expectSettled, PRICE, soldLesson } from "./sold-lesson.ts";

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

test("staff who cancel with a refund send the rest, too", async () => {
  const lesson = await soldLesson();
  await lesson.note(20);
  await lesson.console(10);
  await lesson.cancel({ refund: true });
  await lesson.company.clock(60);
  await lesson.company.sweep(async () => (await lesson.read()).payment_status === "refunded");
  await expectSettled(lesson);
});

test("ten calls at once send it once", async () => {
  const lesson = await soldLesson();
  await lesson.console(10);
  await lesson.cancel();
  const answers = await Promise.all(Array.from({ length: 10 }, () => lesson.post(CANCELLATION)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  await expectSettled(lesson);
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
