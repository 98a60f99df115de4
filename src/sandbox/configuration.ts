import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

/** Ends the start; its message alone says what to do. */
export class StartError extends Error {}

export type Configuration = {
  port: number;
  sandboxPort: number;
  dataDir: string;
  fresh: boolean;
  verbose: boolean;
};

const ATTEMPT_MS = 5_000;
const USAGE = `Usage: npm start -- [--fresh] [--verbose]
  --fresh     throws the data away and begins anew
  --verbose   shows all that wrangler prints
Variables: PORT (8787), SANDBOX_PORT (8788), DATA_DIR (.data)`;

/** Reads flags and variables; throws a StartError that names the one it cannot use. */
export function readConfiguration(flags: string[], env: NodeJS.ProcessEnv): Configuration {
  const { fresh, verbose } = readFlags(flags);
  // npm takes a flag that stands before `--` for a setting of its own.
  const isFresh = fresh || env.npm_config_fresh === "true";
  const port = readPort("PORT", env.PORT || "8787");
  const sandboxPort = readPort("SANDBOX_PORT", env.SANDBOX_PORT || "8788");
  if (port === sandboxPort) throw new StartError(`PORT and SANDBOX_PORT are both ${port}`);
  return { port, sandboxPort, dataDir: resolve(env.DATA_DIR || ".data"), fresh: isFresh, verbose };
}

/** Throws a StartError when another process listens on the port, at any of localhost's addresses. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  for (const address of ["127.0.0.1", "::1"]) {
    if (await isTaken(port, address)) {
      throw new StartError(`Port ${port} is taken: set ${variable} to another`);
    }
  }
}

function readFlags(flags: string[]): { fresh: boolean; verbose: boolean } {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ args: flags, options: { fresh: flag, verbose: flag } }).values;
  } catch {
    throw new StartError(USAGE);
  }
}

function readPort(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`${variable} must be a port from 1 to 65535, not "${text}"`);
}

/** Resolves when a server answers on the port; throws a StartError that names it where that takes too long. */
export async function untilAnswers(port: number, name: string, patienceMs: number): Promise<true> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal }).catch(() => undefined);
    if (response?.ok) return true;
    await sleep(20);
  }
  throw new StartError(`${name} did not answer within ${patienceMs / 1_000} seconds`);
}

/** Whether another process listens on the port at this address. */
export function isTaken(port: number, address: string): Promise<boolean> {
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  const server = createServer();
  // Any other error says that this machine has no such address.
  server.once("error", (error: NodeJS.ErrnoException) => answer(error.code === "EADDRINUSE"));
  server.listen(port, address, () => server.close(() => answer(false)));
  return promise;
}
