// The Worker on a machine of your own: workerd with Durable Objects and files below STATE_DIRECTORY, and the minute's
// cron. docs/self-host says how it is started, and what it lacks.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { readModules } from "../build/bundle-modules.ts";
import { Metrics, type Readiness } from "./metrics.ts";
import { withWideBatches } from "./queues.ts";

const ROOT = join(import.meta.dirname, "../..");
const BUNDLE = join(ROOT, "build/worker");
const AFTER_FAILURE_MS = 5_000;
// Below the five seconds for which docs/self-host/watched.sh waits.
const ANSWER_MS = 4_000;
const NEEDED = [
  "CONTROL_DATABASE_URL",
  "CONTROL_DATABASE_TOKEN",
  "MASTER_KEY",
  "PLATFORM_TOKEN",
  "PUBLIC_ORIGIN",
];
const USED = [
  ...NEEDED,
  ...[
    "PREVIOUS_MASTER_KEY",
    "PREVIOUS_PLATFORM_TOKEN",
    "CHATAPP_APP_SECRET",
    "CHATAPP_VERIFY_TOKEN",
    "LOG",
    "KEPT_ANSWERS",
    "DATABASE_PROVIDER",
  ],
  ...["SQLD_ADMIN_URL", "SQLD_ADMIN_TOKEN", "SQLD_DATABASE_URL", "SQLD_DATABASE_TOKEN"],
  ...["TURSO_ORGANIZATION", "TURSO_GROUP", "TURSO_API_TOKEN", "TURSO_TOKEN_EXPIRATION"],
];

// Pages of the runtime that list and delete files without a credential.
process.env.X_LOCAL_EXPLORER = "false";
process.env.X_LOCAL_OBSERVABILITY = "false";

const { LISTEN_HOST: host = "127.0.0.1", LISTEN_PORT: port = "8787", STATE_DIRECTORY: state } = process.env;
const { METRICS_HOST: metricsHost = "127.0.0.1", METRICS_PORT: metricsPort } = process.env;
const missing = [...NEEDED, "STATE_DIRECTORY"].filter((name) => !process.env[name]);
if (missing.length > 0) {
  process.stderr.write(`These variables are missing: ${missing.join(", ")}\n`);
  process.exit(1);
}

if (!existsSync(join(BUNDLE, "worker.js"))) {
  process.stderr.write("The Worker is not built yet: run npm run build\n");
  process.exit(1);
}

const metrics = new Metrics(async () => {
  const answer = await askPlatform("/platform/readiness");
  return ((await answer.json()) as { data: Readiness }).data;
});
const worker = new Miniflare({
  ...convertV4MiniflareOptions({
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      const stream = ["error", "warn"].includes(level) ? process.stderr : process.stdout;
      stream.write(`${message}\n`);
      metrics.count(message);
    },
    unsafeTriggerHandlers: true,
    workers: [await workerOptions()],
  } as never),
  resourcePersistencePath: join(state ?? "", "worker"),
});
const runtime = await worker.ready.catch(refuseTakenPort);
if (metricsPort) metrics.serve(metricsHost, Number(metricsPort), isAnswering);
await refuseAnotherVersion();
process.stdout.write(`Listening on http://${host}:${port}\n`);
void runCron();
for (const signal of ["SIGTERM", "SIGINT"])
  process.once(signal, () => worker.dispose().finally(() => process.exit()));

/** Ends where another process has the port, such as the workerd of a main process that was killed. */
async function refuseTakenPort(error: Error & { code?: string }): Promise<never> {
  if (error.code !== "ERR_ADDRESS_IN_USE") throw error;
  process.stderr.write(
    `Another process listens at ${host}:${port}: where it is the workerd of a service that was killed, \`pkill workerd\` ends it\n`,
  );
  process.exit(1);
}

/** Runs the minute's cron for ever; one that failed, as before the first migration, soon runs again. */
async function runCron(): Promise<never> {
  for (;;) {
    const signal = AbortSignal.timeout(MINUTE_MS);
    const { ok } = await fetch(new URL("/cdn-cgi/local/scheduled", runtime), { signal }).catch(() => ({
      ok: false,
    }));
    await wait(ok ? MINUTE_MS : AFTER_FAILURE_MS);
  }
}

/** Whether workerd answers at the address of the service, with any status. */
async function isAnswering(): Promise<boolean> {
  const own = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const signal = AbortSignal.timeout(ANSWER_MS);
  return fetch(`http://${own}:${port}/health`, { signal }).then(
    async (answer) => {
      await answer.body?.cancel();
      return true;
    },
    () => false,
  );
}

/** Ends where the control database is another version's; where it does not answer yet, the service waits for it. */
async function refuseAnotherVersion() {
  const answer = await askPlatform("/platform/migrations").catch(() => undefined);
  if (answer?.status !== 409) return;
  const { message } = (await answer.json()) as { message: string };
  process.stderr.write(`${message}\n`);
  await worker.dispose();
  process.exit(1);
}

function askPlatform(path: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${process.env.PLATFORM_TOKEN}` };
  return fetch(new URL(path, runtime), { headers, signal: AbortSignal.timeout(MINUTE_MS) });
}

async function workerOptions() {
  const { workerOptions: declared } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const given = USED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return {
    ...withWideBatches(declared),
    modules: await readModules(BUNDLE),
    // Past the runtime's own pages, straight to the Worker.
    unsafeDirectSockets: [{ host, port: Number(port) }],
    // Cloudflare's mail is not here: each company needs a provider of its own.
    email: undefined,
    bindings: { ...Object(declared.bindings), ...Object.fromEntries(given) },
  };
}
