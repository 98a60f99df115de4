import { returnAddresses } from "../arrival.ts";
import { choices, priceOf } from "../choices.ts";
import { h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import { fill } from "../formats.ts";

// By their names on the wire.
const FIELDS = {
  "customer.name": { label: "name", autocomplete: "name", required: true },
  "customer.email": { label: "email", autocomplete: "email", type: "email" },
  "customer.phone": { label: "phone", autocomplete: "tel", type: "tel" },
  "customer.postcode": { label: "postcode", autocomplete: "postal-code" },
  pickup_address: { label: "pickup", autocomplete: "street-address" },
  student_notes: { label: "notes" },
} as const;
type Field = keyof typeof FIELDS;

/** Asks who the lesson is for, and hands the booking over to be sent. */
export function askDetails(flow: Flow): View {
  const { text, memory } = flow;
  const { course, place = "", details } = memory.choice;
  const known = details ?? { "customer.postcode": /\d/.test(place) ? place : "" };
  const inputs = new Map(
    (Object.keys(FIELDS) as Field[]).map((name) => [name, input(name, known[name], flow)] as const),
  );
  const email = inputs.get("customer.email");
  const phone = inputs.get("customer.phone");
  const check = () => email?.setCustomValidity(email.value || phone?.value ? "" : text.contact);
  check();

  const label = course?.price ? fill(text.bookFor, { amount: priceOf(course, flow) }) : text.book;
  const send = (event: Event) => {
    event.preventDefault();
    memory.choice.details = Object.fromEntries([...inputs].map(([name, { value }]) => [name, value.trim()]));
    memory.keep({ attempt: { key: crypto.randomUUID(), body: bookingOf(flow) } });
    flow.go("send");
  };
  const fields = [...inputs].map(([name, element]) => field(name, element, flow));
  // Above the two that it speaks of.
  fields.splice(1, 0, h("p", {}, text.contact));
  flow.problems = new Map();
  const form = h(
    "form",
    { onsubmit: send, oninput: check },
    ...fields,
    h("button", { class: "main" }, label),
  );
  return { heading: text.details, number: 4, content: [choices(flow), form] };
}

/** Whether the form shows all of these problems beside its fields. */
export function isMarked(problems: Map<string, string>): boolean {
  return problems.size > 0 && [...problems.keys()].every((name) => name in FIELDS);
}

function input(name: Field, value: string | undefined, { problems }: Flow): HTMLInputElement {
  const { label: _, ...attributes } = FIELDS[name];
  const isRefused = problems.has(name) && { "aria-invalid": "true", "aria-describedby": `problem-${name}` };
  return h("input", { name, value, ...attributes, ...isRefused });
}

function field(name: Field, element: HTMLInputElement, { text, problems }: Flow): HTMLElement {
  const texts: Record<string, string | undefined> = text;
  const { label } = FIELDS[name];
  const problem = problems.has(name) && (texts[`invalid_${label}`] ?? text.wrong);
  const isOptional = !/name|email|phone/.test(name);
  return h(
    "label",
    {},
    h("span", {}, text[label], isOptional && h("small", {}, ` (${text.optional})`)),
    element,
    problem && h("small", { class: "problem", id: `problem-${name}` }, problem),
  );
}

function bookingOf({ memory, page, formats }: Flow): object {
  const { course, instructor, date, time, details = {} } = memory.choice;
  const customer: Record<string, string> = { language: formats.locale };
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(details)) {
    const [, own] = name.split("customer.");
    if (value) (own ? customer : others)[own ?? name] = value;
  }
  return {
    product_id: course?.id,
    instructor_id: instructor?.id,
    booking_date: date,
    start_time: time,
    customer,
    ...others,
    visitor: memory.choice.visitor,
    ...returnAddresses(page),
  };
}
