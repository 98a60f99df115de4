import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { messageProviders } from "../../src/sandbox/message-providers/routes.ts";
import { violationsOf } from "../contracts/schemas.ts";
import { ADMIN_KEY, askAdmin, fastFolder, type Libsql, startLibsql } from "./libsql/index.ts";
import { type Outside, startOutside } from "./outside.ts";
import { serveOwn } from "./own-server.ts";
import { RECEIVERS } from "./receivers.ts";
import { startGateways } from "./start-gateways.ts";
import { buildWorker, startWorker, type Variables, workerdProcesses } from "./worker.ts";

export const PLATFORM_TOKEN = "test-platform-token";
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000];
export const CHATAPP_APP_SECRET = "test-app-secret";
export const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

export type Service = {
  url: string;
  /** A GET there lets the minute's cron run. */
  cronUrl: string;
  libsql: Libsql;
  /** The stand-ins for the payment gateways. */
  gatewaysUrl: string;
  /** The stand-ins for the message providers. */
  messagesUrl: string;
  outside: Outside;
  bundle: string;
  /** The address of the runtime's inspector. */
  inspector: () => Promise<URL>;
  /** Starts the Worker anew before the same databases, with these variables besides its own. */
  restart: (variables: Variables) => Promise<void>;
  /** Starts the Worker of another bundle before the same databases. */
  deploy: (bundle: string) => Promise<void>;
  /** Starts the Worker of another bundle beside this one, before the same databases, and gives its address. */
  beside: (bundle: string) => Promise<string>;
  /** Kills the Worker's process, with the queues that it holds in memory, and waits until another one answers. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

export type Options = {
  inspected?: boolean;
  /** Whether what the Worker asks of others can be put far away, and each answer says what it waited for. */
  distant?: boolean;
  /** Whether the databases lie on a disk, as those do that are to outlive a power cut. */
  onDisk?: boolean;
  /** The size in bytes that a file of the databases may reach. */
  fileSizeLimit?: number;
  /** What the Worker is given in place of its own. */
  variables?: Variables;
  /** Fills the databases before the Worker starts; that of the control plane is empty. */
  prepare?: (libsql: Libsql) => Promise<void>;
  /** Hears each line of the Worker's log; without it they go to the terminal. */
  hear?: (line: string) => void;
};

/**
 * The whole system over real HTTP: a libSQL server of its own process, and the production bundle in workerd; `built`
 * is the folder of a bundle that is there already, `without` names Durable Objects that are to fail, and `FILES` where
 * there is to be no place for files; `inspected` opens the runtime's inspector, `variables` go before those of the server here.
 */
export async function startService(
  built?: string,
  without: readonly string[] = [],
  {
    inspected = false,
    distant = false,
    onDisk = false,
    fileSizeLimit,
    variables: own = {},
    prepare,
    hear,
  }: Options = {},
): Promise<Service> {
  const directory = await mkdtemp(join(onDisk ? tmpdir() : await fastFolder(), "company-operations-"));
  const [libsql, outside, bundle, gateways] = await Promise.all([
    startLibsql(join(directory, "databases"), { fileSizeLimit }),
    startOutside(),
    built ?? buildWorker(join(directory, "worker")),
    // Each test opens accounts of its own there, and says where their webhooks go.
    startGateways({
      workerOrigin: "",
      merchants: [],
      retryDelays: RETRY_DELAYS_MS,
      lateMs: 1_000,
      violationsOf,
    }),
  ]);
  await createNamespace(libsql, "control");
  await prepare?.(libsql);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const messages = await startMessageProviders(url);
  const variables = {
    ...bindingsFor(libsql),
    ...gateways.variables,
    ...messages.variables,
    TURNSTILE_API_BASE: outside.url,
    DNS_RESOLVER: `${outside.url}/dns-query`,
    IMAGE_API_BASE: `${outside.url}/images`,
    SANDBOX_RECEIVER: `${outside.url}${RECEIVERS}`,
    PUBLIC_ORIGIN: url,
    ...own,
  };
  const state = join(directory, "state");
  // What fails on purpose would fill the terminal.
  const listen = hear ?? (without.length === 0 ? undefined : () => undefined);
  let deployed = bundle;
  const options = { without, distant, inspected, listen };
  const start = async (more: Variables) => {
    const started = await startWorker(deployed, state, port, { ...variables, ...more }, options);
    if (!without.includes("FILES")) outside.watch(started);
    return { worker: started, cronUrl: new URL("/cdn-cgi/local/scheduled", await started.ready).href };
  };
  const neighbours: Miniflare[] = [];
  const others = await workerdProcesses();
  let running = await start({});
  await migrateControl(url);
  return {
    url,
    get cronUrl() {
      return running.cronUrl;
    },
    libsql,
    outside,
    bundle,
    gatewaysUrl: gateways.url,
    messagesUrl: messages.url,
    inspector: () => running.worker.getInspectorURL(),
    async restart(more) {
      await running.worker.dispose();
      running = await start(more);
    },
    async deploy(next) {
      await running.worker.dispose();
      deployed = next;
      running = await start({});
    },
    async beside(next) {
      const place = await findFreePort();
      const neighbour = await startWorker(
        next,
        join(directory, `beside-${place}`),
        place,
        variables,
        options,
      );
      neighbours.push(neighbour);
      await neighbour.ready;
      return `http://127.0.0.1:${place}`;
    },
    async crash() {
      for (const pid of await workerdProcesses()) if (!others.includes(pid)) process.kill(pid, "SIGKILL");
      // Its keeper starts another one at the same port.
      const answers = async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true;
      for (let tries = 0; !(await answers()) && tries < 300; tries += 1) await sleep(100);
    },
    async stop() {
      for (const worker of [running.worker, ...neighbours]) await worker.dispose();
      messages.stop();
      outside.stop();
      await gateways.stop();
      await libsql.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** All that a test needs to know of a service, as plain data. */
export function addressOf(service: Service) {
  const { url, bundle, libsql, gatewaysUrl, messagesUrl, outside } = service;
  return {
    url,
    // A Worker that is started anew has another one.
    get cronUrl() {
      return service.cronUrl;
    },
    bundle,
    gatewaysUrl,
    messagesUrl,
    outsideUrl: outside.url,
    platformToken: PLATFORM_TOKEN,
    libsqlUrl: libsql.url,
    libsqlAdminUrl: libsql.adminUrl,
    libsqlToken: libsql.token,
  };
}

/** Makes an empty database by hand, as the operator of sqld may. */
export async function createNamespace({ adminUrl }: Pick<Libsql, "adminUrl">, name: string): Promise<void> {
  const path = `/v1/namespaces/${name}/create`;
  const response = await askAdmin(adminUrl, "POST", path, { durability_mode: "strong" });
  if (!response.ok) throw new Error(`${name} was not made: ${await response.text()}`);
}

/** Starts the stand-ins of the message providers; the chat-app among them calls back at the Worker's own address. */
async function startMessageProviders(workerUrl: string) {
  const chatapp = { callbackUrl: `${workerUrl}/v1/webhooks/chatapp`, secret: CHATAPP_APP_SECRET };
  const { handle } = messageProviders({ chatapp, violationsOf });
  const server = await serveOwn(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(404).end();
  });
  return {
    ...server,
    variables: {
      MESSAGING_API_BASE: `${server.url}/providers`,
      PLATFORM_MAIL_FROM: "no-reply@platform.example",
      CHATAPP_VERIFY_TOKEN: "test-verify-token",
      CHATAPP_APP_SECRET,
    },
  };
}

/** The variables and secrets that connect a Worker to a local libSQL server. */
export function bindingsFor(libsql: Pick<Libsql, "url" | "adminUrl" | "token">): Variables {
  return {
    CONTROL_DATABASE_URL: `${libsql.url}/dev/control/`,
    CONTROL_DATABASE_TOKEN: libsql.token,
    SQLD_ADMIN_URL: libsql.adminUrl,
    SQLD_ADMIN_TOKEN: ADMIN_KEY,
    SQLD_DATABASE_URL: `${libsql.url}/dev/{namespace}/`,
    SQLD_DATABASE_TOKEN: libsql.token,
    MASTER_KEY,
    PLATFORM_TOKEN,
    SANDBOX: "1",
    LOG: "off",
  };
}

async function migrateControl(url: string): Promise<void> {
  const response = await fetch(`${url}/platform/migrations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${PLATFORM_TOKEN}` },
  });
  if (!response.ok) throw new Error(`The control database was not migrated: ${await response.text()}`);
}
