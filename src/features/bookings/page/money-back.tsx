import { companyDate } from "#core/calendar.ts";
import { moneyBackOf } from "../payments/given-back.ts";
import { formatDate, formatMoney } from "./formats.ts";
import type { Frame } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** What a visitor gets back: what was paid back on each day, what is on its way, and what the school pays back itself. */
export function MoneyBack({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const money = (minor: number) => formatMoney(minor, visit.currency, words.locale);
  const { all, onItsWay, rest } = moneyBackOf(visit);
  const days = new Map<string, number>();
  for (const { amount, at } of visit.given_back) {
    if (at === null) continue;
    const day = companyDate(at, visit.timezone);
    days.set(day, (days.get(day) ?? 0) + amount);
  }
  const isDue = visit.payment_status === "refund_due";
  const isUnsent = onItsWay === 0 && (all === 0 || rest === 0);
  const sentences = [
    ...Array.from(days, ([day, sum]) => words.refundMade(money(sum), formatDate(day, words.locale))),
    ...(onItsWay > 0 ? [words.refundOnItsWay(money(onItsWay))] : []),
    ...(isDue && isUnsent ? [words.moneyDue(visit.school)] : []),
    ...(isDue && !isUnsent && rest > 0 ? [words.restDue(visit.school)] : []),
    ...(visit.payment_status === "refunded" && rest > 0 ? [words.moneyPaidBack] : []),
  ];
  return sentences.length > 0 && <p class="state">{sentences.join(" ")}</p>;
}
