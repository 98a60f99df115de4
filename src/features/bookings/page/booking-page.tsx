import { Refusal } from "#api/page-parts/layout.tsx";
import { formatMoney, formatTime } from "#shared/text/formats.ts";
import { backOnCancel, moneyBackOf } from "../payments/given-back.ts";
import { choicesOf, type Visit } from "./find-visit.ts";
import { Contact, type Frame, Lesson, renderLayout } from "./layout.tsx";
import { MoneyBack } from "./money-back.tsx";
import type { Words } from "./words/english.ts";
import { greeted } from "./words/greeted.ts";
import { WORDS } from "./words/words.ts";

/** How often the page that waits for a gateway's word looks again, in seconds. */
const WAITS = [1, 2, 3, 4, 6, 8];

export type Seen = Frame & {
  now: number;
  /** Makes each form one operation, however often it is sent. */
  once: string;
  refusal?: string | undefined;
  /** How often the page was looked at since its visitor came back from the gateway. */
  waited?: number | undefined;
  /** Whether its visitor has just moved it. */
  isMoved?: boolean;
};

/** The booking as its customer sees it, and what can be done with it. */
export function renderBookingPage({ visit, sent, now, once, refusal, waited, isMoved }: Seen) {
  const { link } = sent;
  const words = WORDS[sent.language];
  const { canPay, canMove, canCancel, isOpen } = choicesOf(visit, now);
  const seconds = waited !== undefined && isAwaited(visit) ? WAITS[waited] : undefined;
  const url = link("", { paid: String((waited ?? 0) + 1) });
  const refresh = seconds === undefined ? {} : { refresh: { seconds, url } };
  const money = (minor: number) => formatMoney(minor, visit.currency, words.locale);
  const { comes_back: comesBack, cancel_window_hours: hours } = visit;
  const { due } = moneyBackOf(visit);
  const back = backOnCancel(visit);
  const { tone, title, text } = stateOf({ visit, sent }, now, seconds !== undefined, canPay);
  return renderLayout({
    ...{ title, visit, sent, ...refresh },
    children: (
      <>
        <h1>{title}</h1>
        <Refusal text={refusal} />
        {isMoved && isOpen && <p class="state good">{words.moved}</p>}
        <p class={`state ${tone}`} role="status">
          {text}
        </p>
        {visit.unexpected && visit.payment_status !== "refunded" && due > 0 && (
          <p class="state">
            {words.unexpected[visit.unexpected](visit.school, visit.status === "cancelled")}
            {visit.unexpected === "other_amount" && visit.status !== "cancelled" && (
              <>
                {" "}
                <Contact visit={visit} />
              </>
            )}
          </p>
        )}
        <MoneyBack visit={visit} sent={sent} />
        <Lesson visit={visit} sent={sent} />
        {canPay && seconds === undefined && (
          <form method="post" action={link("/pay")}>
            <input type="hidden" name="once" value={once} />
            <button type="submit">{words.payNow}</button>
          </form>
        )}
        {visit.paper && (
          <p>
            <a href={link("/receipt")}>{words.papers[visit.paper]}</a>
          </p>
        )}
        {isOpen && (
          <p class="actions">
            {canMove && (
              <a class="button second" href={link("/move")}>
                {words.move}
              </a>
            )}
            <a class="button second" href={link("/booking.ics")}>
              {words.addToCalendar}
            </a>
          </p>
        )}
        {isOpen && !canMove && <p class="quiet">{words.movableUntil(hours)}</p>}
        {canCancel && comesBack !== null && <p class="quiet">{words.backUntil(money(comesBack), hours)}</p>}
        {canCancel && (
          <details>
            <summary>{words.cancel}</summary>
            <form method="post" action={link("/cancel")}>
              <input type="hidden" name="once" value={once} />
              {comesBack !== null && <p>{words.comesBack(money(comesBack))}</p>}
              {comesBack === null && back > 0 && <p>{words.refunded(visit.school, money(back))}</p>}
              <label for="reason">{words.reason}</label>
              <input type="text" id="reason" name="reason" maxlength={500} autocomplete="off" />
              <button type="submit" class="danger">
                {words.cancelNow}
              </button>
            </form>
          </details>
        )}
      </>
    ),
  });
}

function isAwaited({ status, payment_status: paid, unexpected }: Visit): boolean {
  return paid === "unpaid" && unexpected === null && (status === "pending" || status === "expired");
}

type State = { tone: "" | "good" | "over"; title: string; text: string };

function stateOf({ visit, sent }: Frame, now: number, waiting: boolean, canPay: boolean): State {
  const words = WORDS[sent.language];
  const { status, hold_expires_at: until, school, timezone } = visit;
  const name = visit.contact === null ? "" : ` ${greeted(visit.contact)}`;
  if (waiting) return { tone: "", title: words.awaited, text: words.awaitedText };
  switch (status) {
    case "confirmed": {
      if (visit.end_at <= now) return { tone: "over", title: words.over, text: words.overText(name) };
      return { tone: "good", title: words.confirmed, text: confirmedText(visit, words, name) };
    }
    case "pending": {
      if (visit.is_unproven === 1) return { tone: "", title: words.unproven, text: words.unprovenText(name) };
      const end = until === null ? null : `${formatTime(until, timezone)} (${timezone})`;
      const held = words.heldText(name, end);
      if (visit.unexpected === "other_amount") return { tone: "", title: words.otherAmount, text: held };
      if (!canPay) return { tone: "", title: words.requested, text: words.requestedText(name, school) };
      return { tone: "", title: words.unpaid, text: `${held} ${words.payToConfirm}` };
    }
    case "expired": {
      const text = canPay ? words.expiredPayableText(name) : words.expiredText(name);
      return { tone: "over", title: words.expired, text };
    }
    case "cancelled": {
      return { tone: "over", title: words.cancelled, text: words.cancelledText(name) };
    }
    case "no_show":
      return { tone: "over", title: words.missed, text: words.missedText(name) };
    case "completed":
      return { tone: "over", title: words.completed, text: words.completedText(name) };
  }
}

/** What a lesson that takes place is greeted with: one whose money went back is not paid any more. */
function confirmedText(visit: Visit, words: Words, name: string): string {
  const { payment_status: paid, amount } = visit;
  if (paid === "unpaid") return words.confirmedUnpaidText(name);
  const isPaid = paid === "paid" && (amount === 0 || moneyBackOf(visit).stays > 0);
  return isPaid ? words.confirmedText(name) : words.stillConfirmedText(name);
}
