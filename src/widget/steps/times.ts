import { Calendar } from "../calendar.ts";
import { choices } from "../choices.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import { fill, shift, today } from "../formats.ts";
import type { Day, Slot } from "../wire.ts";

/** Lets the visitor choose a time: first those of the next free day; a calendar of the other days opens on demand. */
export async function chooseTime(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { text, formats, client } = flow;
  const { choice } = flow.memory;
  const { course, instructor } = choice;
  if (!course || !instructor) return flow.go("course");
  choice.time = undefined;
  const ask = { instructor_id: `${instructor.id}`, product_id: `${course.id}` };
  const soonest = choice.date ?? instructor.next_available?.date;
  const fail = (error: unknown) => flow.fail(error, "times", signal);

  const title = h("h3", { "aria-live": "polite" }, text.noNext);
  const times = h("ul", { class: "times" });
  const zone = h("small");
  const slotsOf = new Map<string, Slot[]>();

  const showDay = (date: string) => {
    const slots = slotsOf.get(date) ?? [];
    const { timezone = "" } = choice;
    title.textContent = fill(slots.length > 0 ? text.times : text.noTimes, { day: formats.day(date) });
    zone.textContent = fill(text.zone, { timezone, zone: formats.zone(timezone, date) });
    times.replaceChildren(...slots.map((slot) => h("li", {}, time(slot, date))));
  };
  const time = ({ start }: Slot, date: string) => {
    const choose = () => {
      Object.assign(choice, { date, time: start });
      flow.go("details");
    };
    return button(choose, {}, start);
  };
  // One call for a month and all of its times.
  const load = async (from: string) => {
    const query = { ...ask, from, to: shift(shift(from, 0, 1), -1), slots: "true" };
    const month = await client.get<{ dates: Day[]; timezone: string }>("/availability/dates", signal, query);
    choice.timezone = month.timezone;
    for (const { date, slots } of month.dates) slotsOf.set(date, slots);
    return month.dates.filter(({ slots }) => slots.length > 0).map(({ date }) => date);
  };
  const now = today(choice.timezone);
  const options = { formats, text, today: now, load, pick: showDay, fail };
  const calendar = new Calendar(options, soonest);

  // Where the day has been booked up since, or none is known, the month shows which is free.
  let free = await calendar.show();
  if (free.length === 0) {
    // In the evening of a month's last day none is left in it.
    calendar.mark(shift(soonest ?? now, 0, 1));
    free = await calendar.show();
  }
  const first = free.find((date) => !soonest || date >= soonest) ?? free[0];
  if (first) {
    calendar.mark(first);
    showDay(first);
  }
  // Drawn again with the day marked, out of the month's answer.
  await calendar.show();
  const isKnown = first && (!soonest || first === soonest);
  const others = h("details", { open: !isKnown }, h("summary", {}, text.otherDay), calendar.element);
  const day = h("div", {}, title, times, zone);
  return {
    heading: text.chooseTime,
    number: 3,
    content: [choices(flow), h("div", { class: "days" }, day, others)],
  };
}
