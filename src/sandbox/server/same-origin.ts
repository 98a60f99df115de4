import type { IncomingMessage } from "node:http";
import type { Configuration } from "../configuration.ts";

const NAMES = ["localhost", "127.0.0.1", "[::1]"];
const READS = ["GET", "HEAD"];

/**
 * Why a request to the sandbox's port is refused, or undefined. Its stand-ins act without a credential, so a page of
 * another address may neither reach them by a name that leads here, nor change anything.
 */
export function refusalOf(
  { method = "GET", headers }: IncomingMessage,
  { port, sandboxPort }: Pick<Configuration, "port" | "sandboxPort">,
): string | undefined {
  const { host = "", origin } = headers;
  if (!NAMES.some((name) => host === `${name}:${sandboxPort}`)) {
    return `The sandbox is at localhost:${sandboxPort} only.`;
  }
  if (origin === undefined || READS.includes(method)) return undefined;
  const own = NAMES.flatMap((name) => [`http://${name}:${sandboxPort}`, `http://${name}:${port}`]);
  return own.includes(origin) ? undefined : "No page of another address changes anything here.";
}
