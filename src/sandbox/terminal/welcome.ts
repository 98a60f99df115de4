import { join, relative } from "node:path";
import { styleText } from "node:util";
import type { Key } from "../api.ts";
import type { Configuration } from "../configuration.ts";
import { addressesOf, CREDENTIALS, HEADERS } from "../data-folder/credentials.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import type { Demo } from "../demo/demo.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";
import { dim } from "./progress.ts";

/** What the terminal shows once all is up. What a newcomer needs first comes last, and fits a terminal of 24 lines. */
export function welcome(
  configuration: Configuration,
  folder: Pick<DataFolder, "path" | "memory">,
  demo: Demo,
  seconds: number,
): string {
  const { host, base, alternative, sandbox } = addressesOf(configuration);
  const data = relative(process.cwd(), folder.path) || ".";
  return `
  Data             ${data}  (${CREDENTIALS} for scripts, worker.log of all requests)
  Events           ${sandbox}/webhooks-page  (the events of ${TRADERS.slug} arrive there)
  Publishable key  ${demo.driving.publishable_key.client_id}  (${DRIVING_SCHOOL.slug}, from ${sandbox})
  Platform token   ${folder.memory.platform_token}

${Object.entries(demo.sellers)
  .map(([slug, key]) => administrator(slug, key))
  .join("\n")}
${administrator(DRIVING_SCHOOL.slug, demo.driving.admin_key)}
${bold("Company Operations API")} is up after ${seconds.toFixed(1)} s.

  Guides           ${host}/docs/guides
  API reference    ${host}/docs
  Sandbox          ${sandbox}  (pages to try)
  Base address     ${base}  (${alternative} serves the same)

${administrator(TRADERS.slug, demo.traders.admin_key)}
${calls(base, demo, join(data, HEADERS)).join("\n")}

${dim("Ctrl-C ends everything; the data stays. `npm start -- --fresh` begins anew.")}`;
}

/** A company and its key of every scope. */
function administrator(slug: string, { client_id, client_secret }: Key): string {
  return `  Company          ${slug}
  X-Client-Id      ${client_id}
  X-Client-Secret  ${client_secret}
`;
}

/** List the customers, create one, and draft an invoice for one, as lines for a shell. */
function calls(base: string, { traders }: Demo, headers: string): string[] {
  const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
  const item = {
    item_name: "Desk lamp",
    quantity: 2,
    unit: "NOS",
    unit_price: 899.99,
    tax_rate: 18,
  };
  const invoice = { customer_id: traders.customer_id, items: [item] };
  const call = (collection: string) => `curl -H @${headers} ${base}/${collection}/${TRADERS.slug}`;
  return [
    `${dim("# list the customers, create one, and create an invoice (a draft)")}`,
    call("customers"),
    `${call("customers")} -d '${JSON.stringify(customer)}'`,
    `${call("invoices")} -d '${JSON.stringify(invoice)}'`,
  ];
}

function bold(text: string): string {
  return styleText("bold", text);
}
