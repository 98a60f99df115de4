import { expect } from "vitest";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { setRules } from "../school.ts";
import { allDue, NOTHING_LEFT, openLessons, type Sale } from "./sales.ts";

export const PRICE = 75;
export const CANCELLATION = { reason: "cancellation" };

/** A lesson of 75.00 that was paid through the gateway, and has an invoice, at a school of its own. */
export async function soldLesson(outcome: "paid" | "twice" = "paid"): Promise<Sale> {
  const lessons = await openLessons();
  await setRules(lessons.company, { issue_invoices: true });
  const sale = await lessons.sold(outcome);
  return { ...sale, refund: (fields = {}) => sale.refund({ ...CANCELLATION, ...fields }) };
}

/** The lesson's money is back, but for what was given by hand, and nothing is due. */
export async function expectSettled({ company, post, sent, read }: Sale, byHand = 0) {
  expect(await sent()).toBe(PRICE - byHand);
  expect(await allDue(company)).toEqual([]);
  expect(await read()).toMatchObject({ payment_status: "refunded", refunded_amount: PRICE - byHand });
  expect(await post(CANCELLATION)).toMatchObject(NOTHING_LEFT);
  // The gateway has what the school gave by hand.
  const { "Razorpay Clearing": clearing = 0, ...rest } = await balancesOf(company);
  expect(clearing).toBe(byHand);
  for (const account of ["Customer Advances", "Unearned Lesson Income"])
    expect(rest).not.toHaveProperty(account);
  await expectSound(company);
}

export async function expectDue({ company, id }: Sale, amount: number) {
  expect(await allDue(company)).toEqual(amount === 0 ? [] : [`booking ${id} ${amount}`]);
}
