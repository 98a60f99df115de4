import { companyDate } from "#core/calendar.ts";
import { moneyBackOf } from "../payments/given-back.ts";
import { formatDate, formatMoney } from "./formats.ts";
import type { Frame } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** What a visitor gets back: what was paid back on each day, what goes back through the gateway, and what the school pays back itself. */
export function MoneyBack({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const money = (minor: number) => formatMoney(minor, visit.currency, words.locale);
  const { onItsWay, toSend, byBank, isReversed, rest } = moneyBackOf(visit);
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
  const sentences = rest > 0 ? [...known, ...theRest()] : known;
  return sentences.length > 0 && <p class="state">{sentences.join(" ")}</p>;

  function theRest(): string[] {
    const isAll = known.length === 0;
    switch (visit.payment_status) {
      case "refund_due":
        if (isReversed && visit.status !== "cancelled") return [];
        return [(isAll ? words.refunded : words.restDue)(visit.school, money(rest))];
      case "refunded":
        return [isAll ? words.moneyPaidBack : words.restPaidBack];
      case "paid":
        return isAll ? [] : [words.staysPaid(money(rest))];
      default:
        return [];
    }
  }
}
