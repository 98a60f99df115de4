import { ICON } from "#api/page-parts/icon.ts";
import type { Configuration } from "../configuration.ts";
import { addressesOf } from "../data-folder/credentials.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";
import { SELLERS } from "../demo/demo-sellers.ts";

const COMMANDS = [
  ["npm start -- --fresh", "throws the data away and begins anew"],
  ["npx company-ops company create my-shop --name 'My Shop' --state Kerala", "opens a company of your own"],
  ["npx company-ops key create --name Website --scopes customers:read", "makes a key of the demo company"],
  ["npm test", "runs the tests"],
] as const;

/** The sandbox's front page: what runs here, and where to go. */
export function homePage(configuration: Configuration): string {
  const { host, base, alternative, sandbox } = addressesOf(configuration);
  const commands = COMMANDS.map(
    ([command, meaning]) => `<dt><code>${command}</code></dt><dd>${meaning}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Company Operations sandbox</title>
<link rel="icon" href="${ICON}">
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  dd { margin: 0 0 .75rem; opacity: .75; }
  code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
</style>
<h1>Company Operations sandbox</h1>
<p>The whole system runs on this machine: the Worker, a libSQL database for each company, and this page.</p>
<dl>
  <dt><a href="${host}/docs">API reference</a></dt><dd>every operation, with examples to copy</dd>
  <dt><a href="${host}/docs/guides">Guides</a></dt><dd>a first invoice, a shop, a booking page, from nothing</dd>
  <dt><code>${base}</code></dt><dd>base address; <code>${alternative}</code> serves the same</dd>
  <dt><a href="${base}/openapi.json">OpenAPI document</a></dt><dd>for clients and tools; <a href="${base}/openapi-3.0.json">in 3.0</a></dd>
</dl>
<h2>Pages to try</h2>
<dl>
  <dt><a href="${sandbox}/shop/">A small shop</a></dt><dd>from the catalogue to the paid invoice, by each of the three payment gateways</dd>
  <dt><a href="${sandbox}/booking/">A driving school</a></dt><dd>its website with the booking widget, from the lesson to the payment</dd>
  <dt><a href="${sandbox}/careers/">A career page</a></dt><dd>its open jobs, and an application with a file</dd>
  <dt><a href="${sandbox}/contact/">A contact form</a></dt><dd>what is sent becomes a lead</dd>
  <dt><a href="${sandbox}/pay">The payment gateways</a></dt><dd>stand-ins that sign their webhooks: open an order to pay it, or to let it fail</dd>
  <dt><a href="${sandbox}/messages-page">The phone and the inbox</a></dt><dd>every SMS, chat-app message and e-mail as its receiver sees it: let it be delivered, read, refused, answered STOP. A lesson that is booked here brings a mail whose link opens the booking's own page</dd>
  <dt><a href="${sandbox}/webhooks-page">The receiver of webhooks</a></dt><dd>every event of <code>${TRADERS.slug}</code>, and what endpoints of your own send here, with its signature checked: let it fail, and watch it being sent again</dd>
</dl>
<h2>Demo companies</h2>
<dl>
  <dt><code>${TRADERS.slug}</code></dt><dd>${TRADERS.name}, ${TRADERS.state}: customers in many states, GST invoices, a project in mid-sprint, jobs to apply for, lead sources</dd>
  ${SELLERS.map(({ slug, name, state, gst_status }) => `<dt><code>${slug}</code></dt><dd>${name}, ${state}: <code>gst_status</code> <code>${gst_status}</code>, an invoice without tax; a line with tax is refused</dd>`).join("\n  ")}
  <dt><code>${DRIVING_SCHOOL.slug}</code></dt><dd>${DRIVING_SCHOOL.name}, ${DRIVING_SCHOOL.state}, Australia, registered for its GST: instructors, courses and their free slots, and a publishable key for pages of this address</dd>
</dl>
<p>Their keys are in <code>credentials.json</code> in the data folder (<code>.data</code>, or <code>DATA_DIR</code>); the log of all
requests is <code>worker.log</code> beside it.</p>
<h2>Commands</h2>
<dl>${commands.join("")}</dl>
</html>
`;
}
