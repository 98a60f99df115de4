import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { unstable_readConfig } from "wrangler";
import { modulesOf } from "../../../src/build/bundle-modules.ts";
import { modulesAround } from "../../support/worker.ts";

const ROOT = join(import.meta.dirname, "../../..");
const BINARY: string = createRequire(import.meta.url)("workerd").default;
const { compatibility_date: date } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });

const QUEUES = "export default { fetch: () => Response.json({}) }";

type Module = { name: string; type: "esModule"; file: string };
/** A Worker as workerd's configuration knows it. */
export type Worker = {
  name: string;
  modules: Module[];
  bindings: Record<string, string>;
  objects: Record<string, string>;
  /** Whose messages are taken, and never brought. */
  queues: string[];
};
export type Running = { url: string; pid: number; stop: () => Promise<void> };

/** A production bundle. What queues bring and cron triggers need is not bound. */
export async function apiWorker(
  name: string,
  bundle: string,
  bindings: Record<string, string>,
): Promise<Worker> {
  const files = await modulesOf(bundle);
  const modules = files.map((path): Module => ({ name: path, type: "esModule", file: join(bundle, path) }));
  const objects = {
    RATE_LIMITER: "RateLimiter",
    IDEMPOTENCY: "IdempotencyGate",
    SLOT_PACER: "SlotPacer",
    MESSAGING_QUOTA: "MessagingQuota",
    COMPANY_CLOCK: "CompanyClock",
  };
  const queues = ["MESSAGES", "DELIVERIES", "CLOCK", "NOTIFICATIONS", "HOUSEKEEPING"];
  return { name, modules, bindings, objects, queues };
}

/** The same Worker, whose answers say what they waited for; two modules more go to `directory`. */
export async function telling(directory: string, worker: Worker): Promise<Worker> {
  const modules = await Promise.all(
    Object.entries(await modulesAround()).map(async ([name, text]): Promise<Module> => {
      const file = join(directory, name.replaceAll("/", "-"));
      await writeFile(file, text);
      return { name, type: "esModule", file };
    }),
  );
  return { ...worker, name: "telling", modules: [...modules, ...worker.modules] };
}

/** Starts a workerd of its own for a Worker, so that its processor time can be measured; its output is discarded. */
export async function startWorkerd(directory: string, worker: Worker): Promise<Running> {
  const file = join(directory, `${worker.name}.capnp`);
  const objects = join(directory, `${worker.name}-objects`);
  await mkdir(objects, { recursive: true });
  await writeFile(file, configuration(directory, objects, worker));
  const child = spawn(BINARY, ["serve", file, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr?.on("data", (chunk) => (complaints += String(chunk)));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port }: { event: string; port: number } = JSON.parse(line);
    if (event !== "listen") continue;
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      async stop() {
        process.off("exit", kill);
        kill();
        await ended;
      },
    };
  }
  throw new Error(`workerd ended before it listened:\n${complaints}`);
}

function configuration(directory: string, objects: string, worker: Worker): string {
  const { name } = worker;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = ${quoted(name)}, worker = ${definition(directory, worker)}),
    (name = "queues", worker = (
      compatibilityDate = ${quoted(date ?? "")},
      modules = [(name = "queues", esModule = ${quoted(QUEUES)})]
    )),
    (name = "objects", disk = (path = ${quoted(objects)}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = (name = ${quoted(name)}))]
);
`;
}

function definition(directory: string, { name, modules, bindings, objects, queues }: Worker): string {
  // An embedded file is named by its path from the configuration.
  const embedded = modules.map(
    (module) =>
      `(name = ${quoted(module.name)}, ${module.type} = embed ${quoted(relative(directory, module.file))})`,
  );
  const variables = Object.entries(bindings).map(
    ([key, text]) => `(name = ${quoted(key)}, text = ${quoted(text)})`,
  );
  const namespaces = Object.entries(objects).map(
    ([key, className]) => `(name = ${quoted(key)}, durableObjectNamespace = ${quoted(className)})`,
  );
  const producers = queues.map((key) => `(name = ${quoted(key)}, queue = "queues")`);
  const classes = Object.values(objects).map(
    (className) =>
      `(className = ${quoted(className)}, uniqueKey = ${quoted(`${name}-${className}`)}, enableSql = true)`,
  );
  return `(
    compatibilityDate = ${quoted(date ?? "")},
    modules = [${embedded.join(", ")}],
    bindings = [${[...variables, ...namespaces, ...producers].join(", ")}],
    durableObjectNamespaces = [${classes.join(", ")}],
    durableObjectStorage = (localDisk = "objects")
  )`;
}

// Quotes, backslashes and line ends are escaped in Cap'n Proto's text format as in JSON.
function quoted(text: string): string {
  return JSON.stringify(text);
}
