/** Where the script is served. */
export const SCRIPT_PATH = "/b/page.js";

/**
 * What visitors' pages run; each is whole without it. It writes times in the visitor's own zone beside the school's where
 * they differ, looks whether a payment is known without a reload, and opens the gateway's window for the form that
 * leads to its page, where that window's script has come.
 */
export const SCRIPT = `
const { zone, locale, local, next, seconds } = document.querySelector("main").dataset;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const day = { weekday: "short", day: "numeric", month: "short" };
const write = (instant, options, timeZone) => new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(instant);
for (const time of document.querySelectorAll("time")) {
  const start = new Date(time.dateTime);
  const moment = { ...day, ...clock };
  if (write(start, moment) === write(start, moment, zone)) continue;
  const { until } = time.dataset;
  const sameDay = write(start, day) === write(start, day, zone);
  const own = until
    ? new Intl.DateTimeFormat(locale, moment).formatRange(start, new Date(until))
    : write(start, sameDay ? clock : { weekday: "short", ...clock });
  const beside = document.createElement("small");
  beside.textContent = local.replace("{time}", own);
  time.after(" ", beside);
}

async function look(url, after) {
  await new Promise((resolve) => setTimeout(resolve, after * 1_000));
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (!answer) return look(url, 8);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const { next: then, seconds: wait } = page.querySelector("main")?.dataset ?? {};
  if (then) look(then, wait);
  else location.replace(url);
}
if (next) look(next, seconds);

const form = document.querySelector("form[data-checkout]");
form?.addEventListener("submit", (event) => {
  if (!window.Razorpay) return;
  event.preventDefault();
  const { key_id: key, cancel_url, ...fields } = Object.fromEntries(new FormData(form));
  const options = { key, prefill: {} };
  for (const [name, value] of Object.entries(fields)) {
    const part = /^prefill\\[(\\w+)\\]$/.exec(name)?.[1];
    if (part) options.prefill[part] = value;
    else options[name] = value;
  }
  new window.Razorpay(options).open();
});
`;
