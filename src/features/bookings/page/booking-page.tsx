import { choicesOf, type Visit } from "./find-visit.ts";
import { formatTime } from "./formats.ts";
import { Lesson, Refusal, renderLayout } from "./layout.tsx";

/** How often the page that waits for a gateway's word looks again, in seconds. */
const WAITS = [1, 2, 3, 4, 6, 8];

export type Seen = {
  visit: Visit;
  now: number;
  /** The page's own address. */
  base: string;
  /** Makes each form one operation, however often it is sent. */
  once: string;
  refusal?: string | undefined;
  /** How often the page was looked at since its visitor came back from the gateway. */
  waited?: number | undefined;
};

/** The booking as its customer sees it, and what can be done with it. */
export function renderBookingPage({ visit, now, base, once, refusal, waited }: Seen) {
  const { canPay, canMove, canCancel, isOpen } = choicesOf(visit, now);
  const seconds = waited !== undefined && isAwaited(visit) ? WAITS[waited] : undefined;
  const refresh =
    seconds === undefined ? {} : { refresh: { seconds, url: `${base}?paid=${(waited ?? 0) + 1}` } };
  const { tone, title, text } = stateOf(visit, now, seconds !== undefined, canPay);
  return renderLayout({
    ...{ title, visit, ...refresh },
    children: (
      <>
        <h1>{title}</h1>
        <Refusal text={refusal} />
        <p class={`state ${tone}`} role="status">
          {text}
        </p>
        <Lesson visit={visit} />
        {canPay && seconds === undefined && (
          <form method="post" action={`${base}/pay`}>
            <input type="hidden" name="once" value={once} />
            <button type="submit">Pay now</button>
          </form>
        )}
        {isOpen && (
          <p class="actions">
            {canMove && (
              <a class="button second" href={`${base}/move`}>
                Choose another time
              </a>
            )}
            <a class="button second" href={`${base}/booking.ics`}>
              Add to calendar
            </a>
          </p>
        )}
        {isOpen && !canMove && (
          <p class="quiet">{`Online, a lesson can be moved until ${visit.cancel_window_hours} hours before it starts.`}</p>
        )}
        {canCancel && (
          <details>
            <summary>Cancel this lesson</summary>
            <form method="post" action={`${base}/cancel`}>
              <input type="hidden" name="once" value={once} />
              <label for="reason">Reason (not required)</label>
              <input type="text" id="reason" name="reason" maxlength={500} autocomplete="off" />
              <button type="submit" class="danger">
                Cancel the lesson
              </button>
            </form>
          </details>
        )}
      </>
    ),
  });
}

function isAwaited({ status, payment_status: paid }: Visit): boolean {
  return paid === "unpaid" && (status === "pending" || status === "expired");
}

type State = { tone: "" | "good" | "over"; title: string; text: string };

function stateOf(visit: Visit, now: number, waiting: boolean, canPay: boolean): State {
  const { status, payment_status: paid, hold_expires_at: until } = visit;
  const hello = `Hello ${visit.customer.trim().split(/\s+/)[0]}`;
  if (waiting) {
    const text =
      "We are waiting for the payment service to confirm your payment. This page looks again by itself.";
    return { tone: "", title: "Payment on its way", text };
  }
  if (status === "confirmed") {
    const settled = paid === "unpaid" ? "It is not paid yet." : "See you there.";
    const over = visit.end_at <= now;
    if (over) return { tone: "over", title: "Lesson over", text: `${hello}, this lesson is over.` };
    return {
      tone: "good",
      title: "Lesson confirmed",
      text: `${hello}, your lesson is confirmed. ${settled}`,
    };
  }
  if (status === "pending") {
    if (!canPay) {
      const text = `${hello}, ${visit.school} has your booking and will confirm it.`;
      return { tone: "", title: "Lesson requested", text };
    }
    const time = until === null ? "" : ` until ${formatTime(until, visit.timezone)} (${visit.timezone})`;
    const text = `${hello}, we keep this time for you${time}. Pay to confirm the lesson.`;
    return { tone: "", title: "Payment needed", text };
  }
  if (status === "expired") {
    const text = canPay
      ? `${hello}, the time for the payment has run out. You can still pay while nobody else has booked this lesson.`
      : `${hello}, the time for the payment has run out, and the lesson was not booked.`;
    return { tone: "over", title: "Booking expired", text };
  }
  if (status === "cancelled") {
    const back = {
      refund_due: ` ${visit.school} will pay your money back.`,
      refunded: " Your money was paid back.",
    };
    const money = paid === "refund_due" || paid === "refunded" ? back[paid] : "";
    return { tone: "over", title: "Lesson cancelled", text: `${hello}, this lesson is cancelled.${money}` };
  }
  const missed = status === "no_show";
  const text = missed
    ? `${hello}, you were not there for this lesson.`
    : `${hello}, you have had this lesson.`;
  return { tone: "over", title: missed ? "Lesson missed" : "Lesson completed", text };
}
