import { choices } from "../choices.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import { fill } from "../formats.ts";
import type { Instructor } from "../wire.ts";

const AREAS_SHOWN = 4;

/** Lets the visitor choose an instructor, from those near a place if one is named, unless the page has chosen. */
export async function chooseInstructor(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { text, memory, preset } = flow;
  const { choice } = memory;
  Object.assign(choice, { instructor: undefined, date: undefined, time: undefined });
  const { course } = choice;
  if (!course) return flow.go("course");
  const { instructors: all, settings, visitor, timezone } = await (flow.start ?? flow.begin(signal));
  Object.assign(choice, { visitor, timezone });
  const teaches = ({ transmission }: Instructor) =>
    transmission === "both" || transmission === course.transmission;
  // The first free time is that of a slot's length: of another lesson the times themselves show it.
  const isSlot = course.duration_minutes === settings.slot_length_minutes;
  const instructors = all
    .filter(teaches)
    .map((one) => (isSlot ? one : { ...one, next_available: undefined }));
  const chosen = instructors.find(({ id }) => String(id) === preset.instructor);
  delete preset.instructor;
  if (chosen) return choose(chosen, flow);
  const heading = text.chooseInstructor;
  if (instructors.length === 0) return { heading, number: 2, content: [choices(flow), text.noInstructors] };

  const list = h("ul", { class: "cards" });
  const nobody = h("p", { role: "status" });
  const place = h("input", { autocomplete: "postal-code", value: choice.place, oninput: () => narrow() });
  // The list is whole, so it narrows here while the visitor types: no call for each postcode.
  const narrow = () => {
    choice.place = place.value.trim();
    const near = instructors.filter((instructor) => comesTo(instructor, place.value));
    list.replaceChildren(...near.map((instructor) => h("li", {}, card(instructor, flow))));
    nobody.textContent = near.length > 0 ? "" : fill(text.noInstructorsNear, { place: place.value });
  };
  narrow();
  return {
    heading,
    number: 2,
    content: [choices(flow), h("div", {}, h("label", {}, text.place, place), nobody), list],
  };
}

/** Whether an instructor comes to a place, whose beginning is enough. */
function comesTo({ service_areas }: Instructor, place: string): boolean {
  const wanted = plain(place);
  return (
    wanted === "" ||
    service_areas.some(({ postcode, suburb }) =>
      [postcode, suburb].some((name) => plain(name ?? "").startsWith(wanted)),
    )
  );
}

function plain(text: string): string {
  return text.replace(/\s/g, "").toLowerCase();
}

function card(instructor: Instructor, flow: Flow): HTMLElement {
  const { formats, text } = flow;
  const { name, photo_url, languages, service_areas, next_available: next, bio } = instructor;
  const areas = service_areas
    .flatMap(({ suburb, postcode }) => suburb ?? postcode ?? [])
    .slice(0, AREAS_SHOWN);
  const facts = [
    bio ?? "",
    areas.length > 0 && fill(text.areas, { areas: formats.list(areas) }),
    languages.length > 0 && fill(text.languages, { languages: formats.list(languages) }),
  ];
  return button(
    () => choose(instructor, flow),
    { class: "card" },
    photo_url
      ? h("img", { src: photo_url, alt: "", loading: "lazy" })
      : h("i", { "aria-hidden": "true" }, name.slice(0, 1)),
    h("strong", { dir: "auto" }, name),
    ...facts.map((fact) => fact && h("span", { dir: "auto" }, fact)),
    next !== undefined &&
      h("b", {}, next ? fill(text.next, { moment: formats.moment(next.date, next.start) }) : text.noNext),
  );
}

function choose(instructor: Instructor, flow: Flow): undefined {
  flow.memory.choice.instructor = instructor;
  return flow.go("times");
}
