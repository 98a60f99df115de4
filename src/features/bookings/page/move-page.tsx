import type { Seen } from "./booking-page.tsx";
import { formatDate, formatShortDate } from "./formats.ts";
import { Lesson, Refusal, renderLayout } from "./layout.tsx";
import type { OfferedDay } from "./offered-times.ts";

// More would hide the times below them on a telephone.
const SHOWN = 12;

type Offered = Seen & { days: OfferedDay[]; date: string | undefined };

/** The times that a lesson can be moved to: dates as links, the times of one date to choose from. */
export function renderMovePage({ visit, base, once, refusal, days, date }: Offered) {
  const chosen = days.find((day) => day.date === date) ?? days[0];
  const at = chosen === undefined ? 0 : days.indexOf(chosen);
  const first = at - (at % SHOWN);
  const earlier = days[first - SHOWN];
  const later = days[first + SHOWN];
  const title = "Choose another time";
  return renderLayout({
    ...{ title, visit },
    children: (
      <>
        <h1>{title}</h1>
        <Refusal text={refusal} />
        <Lesson visit={visit} />
        {chosen === undefined ? (
          <p class="state over">{`${visit.instructor} has no free time at the moment.`}</p>
        ) : (
          <>
            <nav aria-label="Dates">
              <ul class="choices">
                {earlier && <Step base={base} date={earlier.date} name="Earlier" />}
                {days.slice(first, first + SHOWN).map((day) => (
                  <li>
                    <a
                      href={`${base}/move?date=${day.date}`}
                      aria-current={day === chosen ? "date" : undefined}
                    >
                      {formatShortDate(day.date)}
                    </a>
                  </li>
                ))}
                {later && <Step base={base} date={later.date} name="Later" />}
              </ul>
            </nav>
            <form method="post" action={`${base}/move`}>
              <input type="hidden" name="once" value={once} />
              <input type="hidden" name="booking_date" value={chosen.date} />
              <fieldset>
                <legend>{`${formatDate(chosen.date)} (${visit.timezone})`}</legend>
                <div class="choices">
                  {chosen.times.map((time) => (
                    <label>
                      <input type="radio" name="start_time" value={time} required />
                      {time}
                    </label>
                  ))}
                </div>
                <button type="submit">Move the lesson</button>
              </fieldset>
            </form>
          </>
        )}
        <p>
          <a href={base}>Back to the booking</a>
        </p>
      </>
    ),
  });
}

function Step({ base, date, name }: { base: string; date: string; name: string }) {
  return (
    <li>
      <a href={`${base}/move?date=${date}`}>{`${name} dates`}</a>
    </li>
  );
}
