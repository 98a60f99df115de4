import { element, entry } from "/messages-page/element.js";

// Shows what came to the receivers, and lets a person enter secrets and have requests fail. Asks anew every two seconds.
const ANSWERS = new Map([
  ["500", "500"],
  ["410", "410"],
  ["slow", "Too late"],
  ["200", "200 again"],
]);
const SIGNATURES = { valid: "✓ signature valid", wrong: "✗ signature wrong", unknown: "no secret known" };
const panels = new Map();
let prefix = "";
let arrivals = [];
let chosen;
let shown;
let last = "";

const at = (id) => document.getElementById(id);
const time = ({ at: when }) => new Date(when).toLocaleTimeString();

/** Changes a receiver; says why where that is refused. */
async function change(name, what, body) {
  const url = `/webhooks-page/${encodeURIComponent(name)}/${what}`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) alert((await response.json()).message);
  await refresh();
  return response.ok;
}

/** A receiver's panel is made once, so that what is being typed in it stays. */
function panelOf(name) {
  const secret = element("input", { placeholder: "whsec_...", required: true, autocomplete: "off" });
  secret.setAttribute("aria-label", `Secret of ${name}`);
  const form = element("form", { className: "reply" }, secret, element("button", { text: "Enter" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (await change(name, "secret", { secret: secret.value })) secret.value = "";
  };
  const times = element("input", { type: "number", min: 1, max: 1000, value: 3 });
  times.setAttribute("aria-label", `How many requests to ${name}`);
  const buttons = [...ANSWERS].map(([answer, text]) =>
    element("button", {
      text,
      onclick: () => change(name, "answers", { answer, times: times.valueAsNumber }),
    }),
  );
  const state = element("p", { className: "about" });
  const panel = element(
    "div",
    { className: "receiver" },
    element("h2", { text: name }),
    element("p", { className: "about", text: prefix + name }),
    state,
    form,
    element(
      "div",
      { className: "actions" },
      element("span", { className: "about", text: "Answer the next" }),
      times,
      ...buttons,
    ),
  );
  return { panel, state };
}

function showReceivers(receivers) {
  at("prefix").textContent = prefix;
  for (const { name, secret, next } of receivers) {
    if (!panels.has(name)) {
      panels.set(name, panelOf(name));
      at("receivers").append(panels.get(name).panel);
    }
    const known = secret === null ? "no secret known" : `secret …${secret}`;
    const plan =
      next === null
        ? "answers 200"
        : `answers the next ${next.left}: ${ANSWERS.get(next.answer).toLowerCase()}`;
    panels.get(name).state.textContent = `${known} · ${plan}`;
  }
}

function answered({ answer, is_late }) {
  if (answer === null) return "not answered yet";
  return is_late ? `answered ${answer} too late` : `answered ${answer}`;
}
/** How it ended, as a class: what the sender counts as a failure looks like one. */
const ending = ({ answer, is_late }) =>
  answer === null ? "" : answer < 300 && !is_late ? "taken" : "failed";

/** One request in the list. */
function entryOf(one) {
  const about = `${one.name} · ${time(one)} · attempt ${one.attempt} · ${SIGNATURES[one.signature]}`;
  const button = entry(one.type ?? "no event", about, one.number === chosen, () => {
    chosen = one.number;
    showArrivals();
  });
  button.append(element("span", { className: ending(one), text: answered(one) }));
  return button;
}

function showArrivals() {
  if (!arrivals.some(({ number }) => number === chosen)) chosen = arrivals[0]?.number;
  at("arrivals").replaceChildren(...arrivals.map(entryOf));
  const one = arrivals.find(({ number }) => number === chosen);
  // What is the same stays as it stands, its scroll and its open parts too.
  if (one === undefined || shown === JSON.stringify(one)) return;
  shown = JSON.stringify(one);
  showArrival(one).catch(() => undefined);
}

/** The body with its members on lines of their own, where it is JSON. */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

async function showArrival(one) {
  const response = await fetch(`/webhooks/${one.number}`);
  if (!response.ok || one.number !== chosen) return;
  const { headers, body } = (await response.json()).data;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const told = { valid: "told", wrong: "told refused", unknown: "told unknown" }[one.signature];
  const why = one.why === null ? "" : `: ${one.why}`;
  at("arrival").replaceChildren(
    element("h2", { text: one.type ?? "no event" }),
    element("p", { className: "about", text: `To ${one.name} · ${time(one)}` }),
    element("p", { className: `about ${ending(one)}`, text: answered(one) }),
    element("p", { className: "about", text: `${one.event_id ?? "no webhook-id"} · attempt ${one.attempt}` }),
    element("div", { className: told, text: SIGNATURES[one.signature] + why }),
    element("pre", { text: pretty(body) }),
    element(
      "details",
      {},
      element("summary", { className: "about", text: "Headers" }),
      element("pre", { text: lines.join("\n") }),
    ),
  );
}

at("new").onsubmit = async (event) => {
  event.preventDefault();
  const { name, secret } = event.target.elements;
  if (await change(name.value, "secret", { secret: secret.value })) event.target.reset();
};

async function refresh() {
  const text = await (await fetch("/webhooks")).text();
  if (text === last) return;
  last = text;
  const told = JSON.parse(text);
  prefix = told.prefix;
  arrivals = told.data;
  showReceivers(told.receivers);
  showArrivals();
}

await refresh();
setInterval(() => refresh().catch(() => undefined), 2_000);
