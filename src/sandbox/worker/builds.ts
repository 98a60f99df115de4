import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../configuration.ts";
import { madeOnce } from "./made-once.ts";

const ROOT = join(import.meta.dirname, "../../..");
// The installed packages are those of the lock file.
const SOURCES = ["src", "docs", "migrations", "package-lock.json"].map((path) => join(ROOT, path));

/** Writes the API document, its reference page and the guides into a folder, from where the Worker serves them. */
export function buildDocuments(assets: string): Promise<void> {
  return madeOnce(assets, SOURCES, () => run("../../build/assets.ts", assets, "--sandbox"));
}

/** Bundles the Worker into a folder. */
export function buildWorker(bundle: string): Promise<void> {
  return run("../../build/worker.ts", bundle);
}

async function run(script: string, ...parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, script), ...parameters]);
  } catch (error) {
    throw new StartError(`The build failed:\n${(error as { stderr: string }).stderr}`);
  }
}
