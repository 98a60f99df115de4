import { companyDate } from "#core/calendar.ts";
import { formatDate, formatMoney } from "#shared/text/formats.ts";
import { moneyBackOf } from "../payments/given-back.ts";
import type { Visit } from "./find-visit.ts";
import type { Frame } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** What a visitor gets back: what was paid back on each day, what goes back through the gateway, what the school owes, and what stays paid. */
export function MoneyBack({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const money = (minor: number) => formatMoney(minor, visit.currency, words.locale);
  const { onItsWay, toSend, byBank, due, stays } = moneyBackOf(visit);
  const known = [
    ...Array.from(daysOf(visit), ([day, sum]) => words.refundMade(money(sum), formatDate(day, words.locale))),
    ...(onItsWay > 0 ? [words.refundOnItsWay(money(onItsWay))] : []),
    ...(toSend > 0 ? [words.refundToCome(money(toSend))] : []),
    ...(byBank > 0 ? [words.takenByBank(money(byBank))] : []),
  ];
  const saysDue = due > 0 && (visit.payment_status !== "unpaid" || visit.status === "cancelled");
  const isAll = known.length === 0;
  const sentences = [
    ...known,
    ...(saysDue ? [(isAll || stays > 0 ? words.refunded : words.restDue)(visit.school, money(due))] : []),
    ...(stays > 0 && !(isAll && due === 0) ? [words.staysPaid(money(stays))] : []),
  ];
  return sentences.length > 0 && <p class="state">{sentences.join(" ")}</p>;
}

/** What was paid back on each day, the first day first: through gateways, by hand of what they took, and in cash or by bank. */
function daysOf(visit: Visit): [day: string, sum: number][] {
  const days = new Map<string, number>();
  const add = (day: string, amount: number) => days.set(day, (days.get(day) ?? 0) + amount);
  for (const { amount, status, settled_at: at, by_bank } of visit.given_back)
    if (status === "succeeded" && at !== null && by_bank === 0) add(companyDate(at, visit.timezone), amount);
  for (const { amount, day } of visit.given_by_hand) add(day, amount);
  const ofPrice = visit.given_by_hand.filter(({ of_price }) => of_price === 1);
  const rest = moneyBackOf(visit).givenByHand - ofPrice.reduce((sum, { amount }) => sum + amount, 0);
  if (rest > 0 && visit.given_back_at !== null) add(companyDate(visit.given_back_at, visit.timezone), rest);
  return [...days].toSorted(([one], [other]) => one.localeCompare(other));
}
