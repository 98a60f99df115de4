import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Sent } from "#api/operations/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { placeOf, type Visit } from "./find-visit.ts";
import { formatDate, formatMoney } from "./formats.ts";
import { STYLE } from "./style.ts";
import { WORDS } from "./words/words.ts";

/** A booking, and how its visitor looks at it. */
export type Frame = { visit: Visit; sent: Pick<Sent, "language" | "link"> };
type Layout = Frame & {
  title: string;
  children: Child;
  /** Behind the address of the booking's own page. */
  path?: string;
  refresh?: { seconds: number; url: string };
  /** Another site's script that the page loads beside ours. */
  script?: string;
};

/** A page of a booking: the school's name above, and how to reach the school below. */
export function renderLayout({
  title,
  visit,
  sent,
  children,
  path = "",
  refresh,
  script,
}: Layout): string | Promise<string> {
  const { language, link } = sent;
  const { locale, localTime, questions } = WORDS[language];
  const [other, name] = language === "en" ? (["hi", "हिन्दी"] as const) : (["en", "English"] as const);
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh && (
          <noscript>
            <meta http-equiv="refresh" content={`${refresh.seconds};url=${refresh.url}`} />
          </noscript>
        )}
        <title>{`${title} · ${visit.school}`}</title>
        <style>{raw(STYLE)}</style>
        {script && <script src={script} async />}
        <script src="/b/page.js" defer />
      </head>
      <body>
        <main
          data-zone={visit.timezone}
          data-locale={locale}
          data-local={localTime}
          data-next={refresh?.url}
          data-seconds={refresh?.seconds}
        >
          <p class="school">{visit.school}</p>
          {children}
          {visit.phone && (
            <p class="quiet">
              {questions(visit.school)}{" "}
              <a href={`tel:${visit.phone.replace(/[^+\d]/g, "")}`}>{visit.phone}</a>
            </p>
          )}
          <p>
            <a href={link(path, { lang: other })} lang={other} hreflang={other}>
              {name}
            </a>
          </p>
        </main>
      </body>
    </html>
  );
  return html`<!DOCTYPE html>${page}`;
}

/** A refusal as a sentence. */
export function Refusal({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="state refused" role="alert">
      {text}
    </p>
  );
}

/** What was booked. Times are the school's, and say so. */
export function Lesson({ visit, sent }: Frame) {
  const words = WORDS[sent.language];
  const time = (
    <time datetime={timestampToWire(visit.start_at)} data-until={timestampToWire(visit.end_at)}>
      {`${words.between(visit.start_time, visit.end_time)} (${visit.timezone})`}
    </time>
  );
  const facts: [name: string, value: Child][] = [
    [words.lesson, visit.course],
    [words.date, formatDate(visit.booking_date, words.locale)],
    [words.time, time],
    [words.instructor, visit.instructor],
    [words.place, placeOf(visit)],
    [words.price, visit.amount === 0 ? null : formatMoney(visit.amount, visit.currency, words.locale)],
    [words.number, visit.number],
  ];
  return (
    <dl>
      {facts.map(
        ([name, value]) =>
          value && (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
