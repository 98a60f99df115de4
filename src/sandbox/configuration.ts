import { resolve } from "node:path";
import { env } from "node:process";

export type Configuration = {
  port: number;
  sandboxPort: number;
  dataDir: string;
  /** Begin anew: forget what earlier starts left. */
  fresh: boolean;
  /** Show what the Worker's tools print. */
  verbose: boolean;
};

/** What `npm start` was asked for: environment variables for the places, flags for the manner. */
export function readConfiguration(flags: readonly string[]): Configuration {
  return {
    port: readPort("PORT", 8787),
    sandboxPort: readPort("SANDBOX_PORT", 8788),
    dataDir: resolve(env.DATA_DIR ?? ".data"),
    fresh: flags.includes("--fresh"),
    verbose: flags.includes("--verbose"),
  };
}

function readPort(name: string, fallback: number): number {
  const port = Number(env[name] ?? fallback);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} must be a port number, not ${env[name]}`);
}
