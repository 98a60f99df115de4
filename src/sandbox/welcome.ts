import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "./configuration.ts";
import type { Demo } from "./demo.ts";

/** What scripts need to call the running system, as it is written to the credentials file. */
export function writeCredentials(configuration: Configuration, platformToken: string, demo: Demo): void {
  const host = `http://localhost:${configuration.port}`;
  const credentials = {
    base_url: `${host}/v1`,
    alt_base_url: `${host}/api/v1`,
    sandbox_url: `http://localhost:${configuration.sandboxPort}`,
    platform_token: platformToken,
    company: demo.company,
    secret_key: demo.secret_key,
    publishable_key: demo.publishable_key,
  };
  writeFileSync(
    join(configuration.dataDir, "credentials.json"),
    `${JSON.stringify(credentials, null, 2)}\n`,
    { mode: 0o600 },
  );
}

/** The text that a start ends with: where everything is, and three calls that work when pasted. */
export function welcome({ port, sandboxPort, dataDir }: Configuration, demo: Demo, seconds: string): string {
  const host = `http://localhost:${port}`;
  const { client_id: id, client_secret: secret } = demo.secret_key;
  const keys = `-H "X-Client-Id: ${id}" -H "X-Client-Secret: ${secret}"`;
  const json = `${keys} -H "Content-Type: application/json"`;
  const customer = { name: "First Customer", state: "Karnataka", pincode: "560001" };
  const item = { item_name: "Steel bottle", quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18 };
  const invoice = { customer_id: demo.customer_id, items: [item] };
  return `
Company Operations is up (${seconds} s).

  API        ${host}/v1  (and ${host}/api/v1)
  Reference  ${host}/docs
  Sandbox    http://localhost:${sandboxPort}
  Company    ${demo.company}
  Secret key ${id}
             ${secret}
  Browser    ${demo.publishable_key.client_id}  (${demo.publishable_key.company}, from ${demo.publishable_key.origin})
  Data       ${dataDir}  (credentials.json, worker.log)

Try:

curl "${host}/v1/customers/${demo.company}?limit=3" ${keys}

curl ${host}/v1/customers/${demo.company} ${json} -d '${JSON.stringify(customer)}'

curl ${host}/v1/invoices/${demo.company} ${json} -d '${JSON.stringify(invoice)}'

Ctrl-C ends it; the data stays. npm start -- --fresh begins anew.
`;
}
