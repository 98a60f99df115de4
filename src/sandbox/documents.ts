import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StartError } from "./configuration.ts";

const BUILD = fileURLToPath(import.meta.resolve("../build.ts"));

/** Writes the API document and its reference page into a folder, from where the Worker serves them. */
export async function buildDocuments(assets: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [BUILD, assets]);
  } catch (error) {
    throw new StartError(`The API document was not built:\n${(error as { stderr: string }).stderr}`);
  }
}
