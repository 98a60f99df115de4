import { Calendar } from "../calendar.ts";
import { choices } from "../choices.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import { fill, shift, today } from "../formats.ts";
import type { Availability, Day, Slot } from "../wire.ts";

/** Lets the visitor choose a time: first those of the next free day; a calendar of the other days opens on demand. */
export async function chooseTime(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { text, formats, client } = flow;
  const { choice } = flow.memory;
  const { course, instructor } = choice;
  if (course === undefined || instructor === undefined) return flow.go("course");
  choice.time = undefined;
  const ask = { instructor_id: `${instructor.id}`, duration_minutes: `${course.duration_minutes}` };
  const soonest = choice.date ?? instructor.next_available?.date;
  choice.timezone ??= instructor.next_available?.timezone;
  const fail = (error: unknown) => flow.fail(error, "times", signal);

  const title = h("h3", { "aria-live": "polite" }, text.noNext);
  const times = h("ul", { class: "times" });
  const zone = h("small");
  let shown: string | undefined;

  const showDay = async (date: string): Promise<boolean> => {
    shown = date;
    times.inert = true;
    const { slots, timezone } = await client.get<Availability>("/availability", signal, { ...ask, date });
    if (shown !== date) return true;
    choice.timezone = timezone;
    times.inert = false;
    title.textContent = fill(slots.length > 0 ? text.times : text.noTimes, { day: formats.day(date) });
    zone.textContent = fill(text.zone, { timezone, zone: formats.zone(timezone, date) });
    times.replaceChildren(...slots.map((slot) => h("li", {}, time(slot, date))));
    return slots.length > 0;
  };
  const time = ({ start }: Slot, date: string) => {
    const choose = () => {
      Object.assign(choice, { date, time: start });
      flow.go("details");
    };
    return button(choose, {}, formats.time(start));
  };
  const load = async (from: string) => {
    const query = { ...ask, from, to: shift(shift(from, 0, 1), -1) };
    const { dates } = await client.get<{ dates: Day[] }>("/availability/dates", signal, query);
    return dates.filter(({ available }) => available).map(({ date }) => date);
  };
  const pick = (date: string) => void showDay(date).catch(fail);
  const calendar = new Calendar({ formats, text, today: today(choice.timezone), load, pick, fail }, soonest);

  // Where the day has been booked up since, or none is known, the month tells which is free.
  const hasTimes = soonest !== undefined && (await showDay(soonest));
  if (!hasTimes) {
    const [free] = await calendar.show();
    if (free !== undefined) {
      calendar.mark(free);
      await showDay(free);
    }
  }
  const others = h("details", { open: !hasTimes }, h("summary", {}, text.otherDay), calendar.element);
  others.addEventListener("toggle", () => void calendar.show().catch(fail));
  const day = h("div", {}, title, times, zone);
  return {
    heading: text.chooseTime,
    number: 3,
    content: [choices(flow), h("div", { class: "days" }, day, others)],
  };
}
