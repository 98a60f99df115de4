import { button, h } from "./dom.ts";
import type { Flow, StepName } from "./flow.ts";
import type { Course } from "./wire.ts";

/** What is chosen so far, each with the way back to its step. */
export function choices(flow: Flow): HTMLElement {
  const { formats, memory, text } = flow;
  const { course, instructor, date, time } = memory.choice;
  const chosen: [StepName, string][] = [];
  if (course) chosen.push(["course", `${course.name} · ${priceOf(course, flow)}`]);
  if (instructor) chosen.push(["instructor", instructor.name]);
  if (date && time) chosen.push(["times", formats.moment(date, time)]);
  return h(
    "ul",
    { class: "choices" },
    ...chosen.map(([step, label]) => {
      const change = () => flow.go(step);
      const name = `${text.change}: ${label}`;
      return h(
        "li",
        {},
        h("span", { dir: "auto" }, label),
        button(change, { class: "link", "aria-label": name }, text.change),
      );
    }),
  );
}

/** Such as "A$75.00". */
export function priceOf({ price, currency }: Course, { formats }: Flow): string {
  return formats.money(price, currency);
}
