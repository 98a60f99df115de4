import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const READY_MS = 30_000;
const POLL_MS = 50;

export type WorkerProcess = { ended: Promise<number | null>; stop: () => void };

export type WorkerOptions = {
  port: number;
  /** Where Durable Objects and queues keep their state. */
  stateDir: string;
  /** Variables and secrets, one `NAME=value` a line. */
  variablesFile: string;
  logFile: string;
  verbose: boolean;
};

/**
 * Starts the Worker under `wrangler dev`, in a process group of its own that a watchdog ends with this process, and
 * waits for its first answer.
 */
export async function startWorkerProcess(options: WorkerOptions): Promise<WorkerProcess> {
  const child = spawn(process.execPath, wranglerArguments(options), {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" },
  });
  const stop = guard(child);
  const output = collectOutput(child, options);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const failed = ended.then((code) =>
    Promise.reject(new Error(`The Worker ended with ${code}:\n${output()}`)),
  );
  failed.catch(() => undefined);
  await Promise.race([answers(options.port), failed]);
  return { ended, stop };
}

function wranglerArguments({ port, stateDir, variablesFile }: WorkerOptions): string[] {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const place = ["--port", String(port), "--ip", "127.0.0.1", "--persist-to", stateDir];
  return [
    wrangler,
    "dev",
    ...place,
    "--env-file",
    variablesFile,
    "--inspector-port",
    "0",
    "--show-interactive-dev-session=false",
  ];
}

function guard(child: ChildProcess): () => void {
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, "watchdog.ts"), String(child.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  return () => watchdog.stdin.end();
}

/** Keeps the log in a file; gives what was printed last, for the error that ends a start. */
function collectOutput(child: ChildProcess, { logFile, verbose }: WorkerOptions): () => string {
  const log = createWriteStream(logFile, { flags: "a" });
  let last = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      last = (last + chunk.toString()).slice(-4_000);
      log.write(chunk);
      if (verbose) process.stderr.write(chunk);
    });
  }
  return () => last;
}

async function answers(port: number): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`The Worker did not answer within ${READY_MS / 1_000} s`);
}
