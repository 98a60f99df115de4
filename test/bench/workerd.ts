import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { unstable_readConfig } from "wrangler";
import { modulesOf } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const BINARY: string = createRequire(import.meta.url)("workerd").default;
const { compatibility_date: date } = unstable_readConfig({
  config: join(ROOT, "wrangler.toml"),
});
// The floor brings a limiter of its own, so that both ask an object of their own isolate.
const FLOOR = [
  "test/bench/floor.ts",
  "test/bench/plan.ts",
  "durable/rate-limiter.ts",
  "durable/sliding-window.ts",
];

type Module = { name: string; type: "esModule"; file: string };
/** A Worker as workerd's configuration knows it. */
export type Worker = {
  name: string;
  modules: Module[];
  bindings: Record<string, string>;
  objects: Record<string, string>;
  entrypoint?: string;
  /** Where all that it fetches goes, in place of the address it names. */
  outbound?: string;
};
export type Running = { urls: Record<string, string>; stop: () => Promise<void> };

/** The production bundle. What only queues and cron triggers need is not bound. */
export async function apiWorker(bundle: string, bindings: Record<string, string>): Promise<Worker> {
  const files = await modulesOf(bundle);
  const modules = files.map((name): Module => ({ name, type: "esModule", file: join(bundle, name) }));
  const objects = {
    RATE_LIMITER: "RateLimiter",
    IDEMPOTENCY: "IdempotencyGate",
    SLOT_PACER: "SlotPacer",
    MESSAGING_QUOTA: "MessagingQuota",
  };
  return { name: "api", modules, bindings, objects };
}

/** The bare Worker of floor.ts, its types stripped into `directory`. */
export async function floorWorker(directory: string, bindings: Record<string, string>): Promise<Worker> {
  const modules: Module[] = [];
  for (const path of FLOOR) {
    const file = join(directory, path.replaceAll("/", "-"));
    await writeFile(file, stripTypeScriptTypes(await readFile(join(ROOT, path), "utf8")));
    modules.push({ name: path, type: "esModule", file });
  }
  const objects = { RATE_LIMITER: "RateLimiter" };
  return { name: "floor", modules, bindings, objects, entrypoint: "floor" };
}

/** Starts one workerd that serves these Workers, each on a port of its own; their output is discarded. */
export async function startWorkerd(directory: string, workers: readonly Worker[]): Promise<Running> {
  const file = join(directory, "workerd.capnp");
  await writeFile(file, configuration(directory, workers));
  const child = spawn(BINARY, ["serve", file, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr?.on("data", (chunk) => (complaints += String(chunk)));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const urls: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, socket, port }: { event: string; socket: string; port: number } = JSON.parse(line);
    if (event === "listen") urls[socket] = `http://127.0.0.1:${port}`;
    if (Object.keys(urls).length < workers.length) continue;
    return {
      urls,
      async stop() {
        process.off("exit", kill);
        kill();
        await ended;
      },
    };
  }
  throw new Error(`workerd ended before it listened:\n${complaints}`);
}

function configuration(directory: string, workers: readonly Worker[]): string {
  const services = workers.map(
    (worker) => `(name = ${quoted(worker.name)}, worker = ${definition(directory, worker)})`,
  );
  const sockets = workers.map(({ name, entrypoint }) => {
    const service = `(name = ${quoted(name)}${entrypoint === undefined ? "" : `, entrypoint = ${quoted(entrypoint)}`})`;
    return `(name = ${quoted(name)}, address = "127.0.0.1:0", http = (), service = ${service})`;
  });
  const recorders = workers.flatMap(({ outbound }) =>
    outbound === undefined
      ? []
      : [`(name = "outbound", external = (address = ${quoted(outbound)}, http = ()))`],
  );
  const internet = '(name = "internet", network = (allow = ["public", "private"]))';
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${[...services, ...recorders, internet].join(",\n    ")}],
  sockets = [${sockets.join(",\n    ")}]
);
`;
}

function definition(directory: string, { name, modules, bindings, objects, outbound }: Worker): string {
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
  const classes = Object.values(objects).map(
    (className) => `(className = ${quoted(className)}, uniqueKey = ${quoted(`${name}-${className}`)})`,
  );
  return `(
    compatibilityDate = ${quoted(date ?? "")},
    modules = [${embedded.join(", ")}],
    bindings = [${[...variables, ...namespaces].join(", ")}],
    durableObjectNamespaces = [${classes.join(", ")}],
    durableObjectStorage = (inMemory = void),
    globalOutbound = ${quoted(outbound === undefined ? "internet" : "outbound")}
  )`;
}

// Quotes, backslashes and line ends are escaped in Cap'n Proto's text format as in JSON.
function quoted(text: string): string {
  return JSON.stringify(text);
}
