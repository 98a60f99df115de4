import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { byAmount, newNote, payOut } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { endAtGateway, giveBack, postRefund } from "./refunds.ts";
import { CANCELLATION, expectDue, expectSettled, PRICE, soldLesson } from "./sold-lesson.ts";

test("parts go back in the same order, and what fails is due again", async () => {
  const lesson = await soldLesson();
  const { company, shop } = lesson;
  const note = await newNote(company, lesson.invoiceId, byAmount(lesson.itemId, 20));
  await giveBack(shop, lesson.payment, { source: "console", amount: 3_000 });
  await lesson.cancel();
  expect(await postRefund(company, { booking_id: lesson.id, ...CANCELLATION, amount: 45.01 })).toMatchObject({
    ...{ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 45 } },
  });
  await lesson.refund({ amount: 15 });
  await expectDue(lesson, 30);
  await gatewayFaults(company, shop.connected, { refund_pending: 2 });
  const sent = await lesson.refund();
  await gatewayFaults(company, shop.connected, {});
  await expectDue(lesson, 0);
  await endAtGateway(shop, sent.gateway_refund_id, "failed");
  await expectDue(lesson, sent.amount);
  for (const sibling of sent.sibling_ids) {
    const other = must(
      await company.call<{ gateway_refund_id: string }>("GET", `/refunds/:company/${sibling}`),
      200,
    ).body.data;
    await endAtGateway(shop, other.gateway_refund_id, "succeeded");
  }
  await lesson.refund();
  await expectSettled(lesson);
  expect(note.total_amount).toBe(20);
});

test("staff who cancel with a refund send the rest, too", async () => {
  const lesson = await soldLesson();
  await newNote(lesson.company, lesson.invoiceId, byAmount(lesson.itemId, 20));
  await giveBack(lesson.shop, lesson.payment, { source: "console", amount: 1_000 });
  await lesson.cancel({ refund: true });
  await lesson.company.clock(60);
  await lesson.company.sweep(async () => (await lesson.read()).payment_status === "refunded");
  await expectSettled(lesson);
});

test("ten calls at once send it once", async () => {
  const lesson = await soldLesson();
  await giveBack(lesson.shop, lesson.payment, { source: "console", amount: 1_000 });
  await lesson.cancel();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => postRefund(lesson.company, { booking_id: lesson.id, ...CANCELLATION })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  await expectSettled(lesson);
});

test("a part that its gateway gives no money back of is refused, and paid out by hand", async () => {
  const lesson = await soldLesson();
  const { company, id } = lesson;
  const note = await newNote(company, lesson.invoiceId, byAmount(lesson.itemId, 0.5));
  await lesson.cancel();
  expect(await postRefund(company, { booking_id: id, ...CANCELLATION })).toMatchObject({
    ...{ status: 422, body: { errors: [{ field: "amount", code: "too_small" }] } },
  });
  expect(await lesson.sent()).toBe(0);
  must(await payOut(company, note.id, { amount: 0.5, payout_date: today() }), 201);
  await expectDue(lesson, PRICE - 0.5);
  await lesson.refund();
  await expectSettled(lesson, 0.5);
});
