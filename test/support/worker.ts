import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { readModules } from "../../src/build/bundle-modules.ts";
import { withWideBatches } from "../../src/self-host/queues.ts";
import { serveAsset } from "./assets.ts";

const ROOT = join(import.meta.dirname, "../..");
export type Variables = Record<string, string>;

/** Builds the bundle that a deployment would upload, and gives its folder. */
export async function buildWorker(directory: string): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, "src/build/worker.ts"), directory], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`The Worker could not be built:\n${errors}`);
  return directory;
}

/** The modules that put far.ts around a bundle, by their names; the one that runs first at the front. */
export async function modulesAround(): Promise<Record<string, string>> {
  const entry = `import worker from "./worker.js"; import { far } from "./far.js";
export * from "./worker.js"; export default far(worker);`;
  const around = await readFile(join(import.meta.dirname, "far.ts"), "utf8");
  return { "distant.js": entry, "far.js": stripTypeScriptTypes(around) };
}

async function distantModules(bundle: string): ReturnType<typeof readModules> {
  const around = Object.entries(await modulesAround());
  return [
    ...around.map(([path, contents]) => ({ type: "ESModule" as const, path, contents })),
    ...(await readModules(bundle)),
  ];
}

type Started = {
  without: readonly string[];
  distant: boolean;
  inspected: boolean;
  listen: ((line: string) => void) | undefined;
};

/** The ids of the workerds that this process has started and that run. */
export async function workerdProcesses(): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,comm="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => parent === String(process.pid) && name === "workerd")
    .map(([pid]) => Number(pid));
}

/** Starts the bundle in workerd, with the objects, queues and buckets of wrangler.toml. */
export async function startWorker(
  bundle: string,
  state: string,
  port: number,
  bindings: Variables,
  { without, distant, inspected, listen }: Started,
): Promise<Miniflare> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const options = convertV4MiniflareOptions({
    log: new Log(LogLevel.ERROR),
    // The minute's cron, at the runtime's own address.
    unsafeTriggerHandlers: true,
    ...(listen === undefined
      ? {}
      : { handleStructuredLogs: ({ message }: { message: string }) => listen(message) }),
    workers: [
      {
        ...withWideBatches(workerOptions),
        durableObjects: Object.fromEntries(
          Object.entries(workerOptions.durableObjects ?? {}).filter(([name]) => !without.includes(name)),
        ),
        modules: await (distant ? distantModules : readModules)(bundle),
        // Past the runtime's own Worker at the front, which costs as much as ours.
        unsafeDirectSockets: [{ host: "127.0.0.1", port }],
        assets: undefined,
        serviceBindings: { ASSETS: serveAsset },
        email: undefined,
        ...(without.includes("FILES") ? { r2Buckets: undefined } : {}),
        ...(without.includes("CONSUMERS") ? { queueConsumers: undefined } : {}),
        bindings: { ...Object(workerOptions.bindings), ...bindings },
      },
    ],
  } as never);
  return new Miniflare({
    ...options,
    resourcePersistencePath: state,
    ...(inspected ? { inspectorPort: 0 } : {}),
  });
}
