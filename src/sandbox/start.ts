// `npm start`: the whole system on one machine, until it is asked to end or a part of it does.

import { join } from "node:path";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { Api } from "./api.ts";
import { type Configuration, readConfiguration, requireFreePort, StartError } from "./configuration.ts";
import { addressesOf, writeCredentials } from "./data-folder/credentials.ts";
import { DataFolder } from "./data-folder/data-folder.ts";
import { startDatabases } from "./database-server/databases.ts";
import { prepareCompanies } from "./demo/prepare-companies.ts";
import { gatewayVariables } from "./gateways/index.ts";
import { messageVariables } from "./message-providers/index.ts";
import { startProviders } from "./server/start-server.ts";
import { untilAsked } from "./terminal/ending.ts";
import { endProgress, step } from "./terminal/progress.ts";
import { welcome } from "./terminal/welcome.ts";
import { receiverPrefix, webhookVariables } from "./webhook-receiver/index.ts";
import { buildDocuments, buildWorker } from "./worker/builds.ts";
import { startWorker } from "./worker/start-worker.ts";

// What the children compile is kept: wrangler alone is megabytes of JavaScript, and starts in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/compiled");

try {
  await main(readConfiguration(process.argv.slice(2), process.env));
  process.exit(0);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

async function main(configuration: Configuration): Promise<void> {
  await using running = new AsyncDisposableStack();
  await Promise.race([untilAsked(), bringUp(configuration, running)]).finally(endProgress);
}

/** Starts all parts; then waits, and throws when one of them ends by itself. */
async function bringUp(configuration: Configuration, running: AsyncDisposableStack): Promise<never> {
  const { port, sandboxPort, dataDir, fresh, verbose } = configuration;
  await requireFreePort(port, "PORT");
  await requireFreePort(sandboxPort, "SANDBOX_PORT");
  const folder = new DataFolder(dataDir, fresh, addressesOf(configuration).host);
  console.log(`Starting in ${dataDir} ...`);
  const assets = folder.file("assets");

  running.use(await startProviders(configuration, folder));
  const databases = running.use(await step("database server", () => startDatabases(folder)));
  // Only readers of the pages need them: meanwhile the Worker starts and the demo companies are made.
  const documents = step("API document and reference page", () => buildDocuments(assets));
  documents.catch(() => undefined);
  const bundle = folder.file("bundle");
  await step("Worker built", () => buildWorker(bundle));
  const { master_key: MASTER_KEY, platform_token: PLATFORM_TOKEN } = folder.memory;
  const providers = gatewayVariables(`http://127.0.0.1:${sandboxPort}`);
  const variables = {
    ...databases.variables,
    ...providers,
    ...messageVariables(configuration),
    ...webhookVariables(configuration),
    MASTER_KEY,
    PLATFORM_TOKEN,
    SANDBOX: `http://127.0.0.1:${sandboxPort}`,
  };
  const worker = running.use(startWorker({ folder, port, assets, bundle, variables, verbose }));
  await step("Worker answers", () => worker.ready);

  const origin = `http://127.0.0.1:${port}`;
  const platform = new Api(origin, { Authorization: `Bearer ${PLATFORM_TOKEN}` });
  const isFirst = folder.memory.demo === undefined;
  const prepared = step(isFirst ? "demo companies, made once" : "demo companies", () =>
    prepareCompanies(platform, databases, folder, {
      bookingOrigin: addressesOf(configuration).sandbox,
      gateways: `http://127.0.0.1:${configuration.sandboxPort}`,
      receivers: receiverPrefix(configuration),
    }),
  );
  const ended = Promise.race([worker.ended, databases.ended]);
  const [demo] = await Promise.race([Promise.all([prepared, documents]), ended]);
  writeCredentials(folder, configuration, demo, databases.variables);
  console.log(welcome(configuration, folder, demo, process.uptime()));
  // wrangler leaves the minute's schedule to us.
  setInterval(() => fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => undefined), MINUTE_MS);
  return ended;
}
