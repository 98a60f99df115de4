import type { Sent } from "#api/operations/page.ts";
import { renderVisitorLayout, type VisitorLayout } from "#api/page-parts/layout.tsx";
import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import { formatDate, formatMoney } from "#shared/text/formats.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { placeOf, type Visit } from "./find-visit.ts";
import type { Words } from "./words/english.ts";
import { WORDS } from "./words/words.ts";

/** A booking, and how its visitor looks at it. */
export type Frame = { visit: Visit; sent: Pick<Sent, "language" | "link"> };
type Layout = Frame & Pick<VisitorLayout, "title" | "children" | "path" | "refresh" | "script">;

/** A page of a booking: the school's name above, and how to reach the school below. */
export function renderLayout({ visit, sent, children, ...layout }: Layout): string | Promise<string> {
  const { locale, localTime, questions } = WORDS[sent.language];
  return renderVisitorLayout({
    ...layout,
    ...{ company: visit.school, sent },
    data: { "data-zone": visit.timezone, "data-locale": locale, "data-local": localTime },
    children: (
      <>
        {children}
        {(visit.phone || visit.email) && (
          <p class="quiet">
            {questions(visit.school)} <Contact visit={visit} />
          </p>
        )}
      </>
    ),
  });
}

/** How to reach the school, as far as its profile says. */
export function Contact({ visit: { phone, email } }: Pick<Frame, "visit">) {
  return (
    <>
      {phone && <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>}
      {phone && email && ", "}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </>
  );
}

/** The price, and that it is paid: unless some of it went back, which other parts of the page say. */
function priceOf({ amount, currency, payment_status: paid, given_back: back }: Visit, words: Words): string {
  const price = formatMoney(amount, currency, words.locale);
  return paid === "paid" && back.length === 0 ? words.isPaid(price) : price;
}

/** What was booked. Times are the school's, and say so. */
export function Lesson({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const time = (
    <time datetime={timestampToWire(visit.start_at)} data-until={timestampToWire(visit.end_at)}>
      {`${words.between(visit.start_time, visit.end_time)} (${visit.timezone})`}
    </time>
  );
  const facts: NamedValue[] = [
    [words.lesson, visit.course],
    [words.date, formatDate(visit.booking_date, words.locale)],
    [words.time, time],
    [words.instructor, visit.instructor],
    [words.place, placeOf(visit)],
    [words.price, visit.amount === 0 ? null : priceOf(visit, words)],
    [words.number, visit.number],
  ];
  return <NamedValues rows={facts} />;
}
