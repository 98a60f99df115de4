import { Refusal } from "#api/page-parts/layout.tsx";
import { formatDate, formatShortDate } from "#shared/text/formats.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { Seen } from "./booking-page.tsx";
import { Lesson, renderLayout } from "./layout.tsx";
import type { OfferedDay } from "./offered-times.ts";
import { WORDS } from "./words/words.ts";

// More would hide the times below them on a telephone.
const SHOWN = 12;

type Offered = Seen & { days: OfferedDay[]; date: string | undefined };

/** The times that a lesson can be moved to: dates as links, the times of one date to choose from. */
export function renderMovePage({ visit, sent, once, refusal, days, date }: Offered) {
  const { link } = sent;
  const words = WORDS[sent.language];
  const chosen = days.find((day) => day.date === date) ?? days[0];
  const at = chosen === undefined ? 0 : days.indexOf(chosen);
  const first = at - (at % SHOWN);
  const earlier = days[first - SHOWN];
  const later = days[first + SHOWN];
  return renderLayout({
    ...{ title: words.move, visit, sent },
    children: (
      <>
        <h1>{words.move}</h1>
        <Refusal text={refusal} />
        <Lesson visit={visit} sent={sent} />
        {chosen === undefined ? (
          <p class="state over">{words.noTimes(visit.instructor)}</p>
        ) : (
          <>
            <nav aria-label={words.dates}>
              <ul class="choices">
                {earlier && <Step to={link("/move", { date: earlier.date })} name={words.earlierDates} />}
                {days.slice(first, first + SHOWN).map((day) => (
                  <li>
                    <a
                      href={link("/move", { date: day.date })}
                      aria-current={day === chosen ? "date" : undefined}
                    >
                      {formatShortDate(day.date, words.locale)}
                    </a>
                  </li>
                ))}
                {later && <Step to={link("/move", { date: later.date })} name={words.laterDates} />}
              </ul>
            </nav>
            <form method="post" action={link("/move")}>
              <input type="hidden" name="once" value={once} />
              <input type="hidden" name="booking_date" value={chosen.date} />
              <fieldset>
                <legend>{`${formatDate(chosen.date, words.locale)} (${visit.timezone})`}</legend>
                <div class="choices">
                  {chosen.times.map(({ time, startAt }) => (
                    <label>
                      <input type="radio" name="start_time" value={time} required />
                      <time datetime={timestampToWire(startAt)}>{time}</time>
                    </label>
                  ))}
                </div>
                <button type="submit">{words.moveNow}</button>
              </fieldset>
            </form>
          </>
        )}
        <p>
          <a href={link("")}>{words.backToBooking}</a>
        </p>
      </>
    ),
  });
}

function Step({ to, name }: { to: string; name: string }) {
  return (
    <li>
      <a href={to}>{name}</a>
    </li>
  );
}
