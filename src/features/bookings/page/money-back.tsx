import { companyDate } from "#core/calendar.ts";
import { moneyBackOf } from "../payments/given-back.ts";
import { formatDate, formatMoney } from "./formats.ts";
import type { Frame } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** What a visitor gets back: what was paid back on each day, what goes back through the gateway, what the school owes, and what stays paid. */
export function MoneyBack({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const money = (minor: number) => formatMoney(minor, visit.currency, words.locale);
  const { onItsWay, toSend, byBank, due, stays, givenByHand } = moneyBackOf(visit);
  const days = new Map<string, number>();
  for (const { amount, status, settled_at: at, by_bank } of visit.given_back) {
    if (status !== "succeeded" || at === null || by_bank === 1) continue;
    const day = companyDate(at, visit.timezone);
    days.set(day, (days.get(day) ?? 0) + amount);
  }
  const known = [
    ...Array.from(days, ([day, sum]) => words.refundMade(money(sum), formatDate(day, words.locale))),
    ...(onItsWay > 0 ? [words.refundOnItsWay(money(onItsWay))] : []),
    ...(toSend > 0 ? [words.refundToCome(money(toSend))] : []),
    ...(byBank > 0 ? [words.takenByBank(money(byBank))] : []),
  ];
  const saysDue = due > 0 && (visit.payment_status !== "unpaid" || visit.status === "cancelled");
  const isAll = known.length === 0;
  const sentences = [
    ...known,
    ...(givenByHand > 0 ? [isAll ? words.moneyPaidBack : words.restPaidBack] : []),
    ...(saysDue ? [(isAll || stays > 0 ? words.refunded : words.restDue)(visit.school, money(due))] : []),
    ...(stays > 0 && !(isAll && due === 0) ? [words.staysPaid(money(stays))] : []),
  ];
  return sentences.length > 0 && <p class="state">{sentences.join(" ")}</p>;
}
