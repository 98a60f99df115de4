import { relative } from "node:path";
import { styleText } from "node:util";
import type { Key } from "../api.ts";
import type { Configuration } from "../configuration.ts";
import { addressesOf, CREDENTIALS } from "../data-folder/credentials.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import type { Demo } from "../demo/demo.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";
import { dim } from "./progress.ts";

/** What the terminal shows once all is up: where it is, who may call, and three calls to paste. */
export function welcome(
  configuration: Configuration,
  folder: DataFolder,
  demo: Demo,
  seconds: number,
): string {
  const { host, base, alternative, sandbox } = addressesOf(configuration);
  const data = relative(process.cwd(), folder.path) || ".";
  return `
${bold("Company Operations API")} is up after ${seconds.toFixed(1)} s.

  Base address     ${base}  (${alternative} serves the same)
  API reference    ${host}/docs
  Guides           ${host}/docs/guides
  Sandbox          ${sandbox}
  Events           ${sandbox}/webhooks-page  (the events of ${TRADERS.slug} arrive there)
  Data             ${data}  (${CREDENTIALS} for scripts, worker.log of all requests)

${administrator(TRADERS.slug, demo.traders.admin_key)}
${administrator(DRIVING_SCHOOL.slug, demo.driving.admin_key)}
${Object.entries(demo.sellers)
  .map(([slug, key]) => administrator(slug, key))
  .join("\n")}
  Publishable key  ${demo.driving.publishable_key.client_id}  (${DRIVING_SCHOOL.slug}, from ${sandbox})
  Platform token   ${folder.memory.platform_token}

${calls(base, demo).join("\n\n")}

${dim("Ctrl-C ends everything; the data stays. `npm start -- --fresh` begins anew.")}
`;
}

/** A company and its key of every scope. */
function administrator(slug: string, { client_id, client_secret }: Key): string {
  return `  Company          ${slug}
  X-Client-Id      ${client_id}
  X-Client-Secret  ${client_secret}
`;
}

/** List the customers, create one, and draft an invoice for one, as lines for a shell. */
function calls(base: string, { traders }: Demo): string[] {
  const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
  const item = {
    item_name: "Desk lamp",
    quantity: 2,
    unit: "NOS",
    unit_price: 899.99,
    tax_rate: 18,
  };
  const invoice = { customer_id: traders.customer_id, items: [item] };
  const { client_id, client_secret } = traders.admin_key;
  const signed = `-H 'X-Client-Id: ${client_id}' -H 'X-Client-Secret: ${client_secret}'`;
  const json = "-H 'Content-Type: application/json'";
  return [
    `${dim("# list the customers")}\ncurl ${base}/customers/${TRADERS.slug} ${signed}`,
    `${dim("# create a customer")}\ncurl ${base}/customers/${TRADERS.slug} ${signed} ${json} -d '${JSON.stringify(customer)}'`,
    `${dim("# create an invoice, as a draft")}\ncurl ${base}/invoices/${TRADERS.slug} ${signed} ${json} -d '${JSON.stringify(invoice)}'`,
  ];
}

function bold(text: string): string {
  return styleText("bold", text);
}
