import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Visit } from "./find-visit.ts";
import { formatDate, formatMoney } from "./formats.ts";
import { STYLE } from "./style.ts";

type Layout = { title: string; visit: Visit; children: Child; refresh?: { seconds: number; url: string } };

/** A page of a booking: the school's name above, and how to reach the school below. */
export function renderLayout({ title, visit, children, refresh }: Layout): string | Promise<string> {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh && <meta http-equiv="refresh" content={`${refresh.seconds};url=${refresh.url}`} />}
        <title>{`${title} · ${visit.school}`}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <main>
          <p class="school">{visit.school}</p>
          {children}
          {visit.phone && (
            <p class="quiet">
              Questions? Call {visit.school}:{" "}
              <a href={`tel:${visit.phone.replace(/[^+\d]/g, "")}`}>{visit.phone}</a>
            </p>
          )}
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
export function Lesson({ visit }: { visit: Visit }) {
  const facts: [name: string, value: string | null][] = [
    ["Lesson", visit.course],
    ["Date", formatDate(visit.booking_date)],
    ["Time", `${visit.start_time} to ${visit.end_time} (${visit.timezone})`],
    ["Instructor", visit.instructor],
    ["Place", visit.place && [visit.place, visit.city].filter(Boolean).join(", ")],
    ["Price", visit.amount === 0 ? null : formatMoney(visit.amount, visit.currency)],
    ["Booking number", visit.number],
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
