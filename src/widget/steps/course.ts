import { priceOf } from "../choices.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import type { Course } from "../wire.ts";

/** Lets the visitor choose a lesson, unless the page has; packages are sold elsewhere. */
export async function chooseCourse(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { text, preset } = flow;
  const { courses: all } = await flow.begin(signal);
  const courses = all.filter((course) => !course.is_package);
  const chosen = courses.find(({ id }) => String(id) === preset.course);
  delete preset.course;
  if (chosen) return choose(chosen, flow);
  const cards = courses.map((course) => h("li", {}, card(course, flow)));
  const content = cards.length === 0 ? text.noCourses : h("ul", { class: "cards" }, ...cards);
  return { heading: text.chooseCourse, number: 1, content: [content] };
}

function card(course: Course, flow: Flow): HTMLElement {
  const { formats, text } = flow;
  const about = `${formats.minutes(course.duration_minutes)} · ${text[course.transmission]}`;
  return button(
    () => choose(course, flow),
    { class: "card" },
    h("strong", { dir: "auto" }, course.name),
    h("b", {}, priceOf(course, flow)),
    h("span", {}, about),
  );
}

function choose(course: Course, flow: Flow): undefined {
  flow.memory.choice.course = course;
  return flow.go("instructor");
}
