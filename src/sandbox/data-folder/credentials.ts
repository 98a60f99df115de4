import type { Configuration } from "../configuration.ts";
import type { Demo } from "../demo/demo.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";
import type { DataFolder } from "./data-folder.ts";

export const CREDENTIALS = "credentials.json";
/** What curl sends with a call of the demo company, as `-H @headers.txt`. */
export const HEADERS = "headers.txt";

/** The addresses of this sandbox, as a browser on this machine writes them. */
export function addressesOf({ port, sandboxPort }: Pick<Configuration, "port" | "sandboxPort">) {
  const host = `http://localhost:${port}`;
  return {
    host,
    base: `${host}/v1`,
    alternative: `${host}/api/v1`,
    sandbox: `http://localhost:${sandboxPort}`,
  };
}

/** Writes what a script needs to call this sandbox. */
export function writeCredentials(
  folder: DataFolder,
  configuration: Configuration,
  demo: Demo,
  {
    CONTROL_DATABASE_URL = "",
    CONTROL_DATABASE_TOKEN = "",
    SQLD_DATABASE_TOKEN = "",
  }: Record<string, string>,
): void {
  const { base, alternative, sandbox } = addressesOf(configuration);
  const { client_id, origin } = demo.driving.publishable_key;
  const credentials = {
    base_url: base,
    alt_base_url: alternative,
    sandbox_url: sandbox,
    platform_token: folder.memory.platform_token,
    company: TRADERS.slug,
    secret_key: demo.traders.admin_key,
    admin_keys: {
      [TRADERS.slug]: demo.traders.admin_key,
      [DRIVING_SCHOOL.slug]: demo.driving.admin_key,
      ...demo.sellers,
    },
    publishable_key: { client_id, origin, company: DRIVING_SCHOOL.slug },
    // What events that arrive at /webhooks-page are signed with, by the name of their receiver.
    webhook_secrets: folder.memory.webhook_secrets,
    // What company-ops opens the databases with.
    worker: {
      CONTROL_DATABASE_URL,
      CONTROL_DATABASE_TOKEN,
      SQLD_DATABASE_TOKEN,
      MASTER_KEY: folder.memory.master_key,
    },
  };
  const { client_id: id, client_secret: secret } = demo.traders.admin_key;
  folder.write(HEADERS, `X-Client-Id: ${id}\nX-Client-Secret: ${secret}\nContent-Type: application/json\n`);
  folder.write(CREDENTIALS, `${JSON.stringify(credentials, null, 2)}\n`);
}
