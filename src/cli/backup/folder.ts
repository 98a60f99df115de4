import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../failure.ts";

const ENDING = ".backup";
/** The control database's backup in a folder of all; no slug has its name. */
export const CONTROL_BACKUP = `_control${ENDING}`;

/** Where a company's backup is in a folder of all. */
export function fileOf(folder: string, slug: string): string {
  return join(folder, `${slug}${ENDING}`);
}

/** The names of the backups in a folder. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${folder} cannot be read (${error.code})`);
  });
  return names.filter((name) => name.endsWith(ENDING)).sort();
}
