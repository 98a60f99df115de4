import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "#shared/time/durations.ts";
import { Failure } from "../failure.ts";

const ENDING = ".backup";
/** The control database's backup in a folder of all; no slug has its name. */
export const CONTROL_BACKUP = `_control${ENDING}`;

// As `write-files.ts` names what it writes.
const LEFTOVER = /^company-ops-[0-9a-f]{32}\.(?:partial|rows|files)$/;

/** Where a company's backup is in a folder of all. */
export function fileOf(folder: string, slug: string): string {
  return join(folder, `${slug}${ENDING}`);
}

/**
 * Removes what backups that were killed have left in a folder: files under their own names to which nothing was written
 * for an hour. Gives how many it removed, and the names of later ones, which may be of a backup that still runs.
 */
export async function removeLeftovers(folder: string): Promise<{ removed: number; later: string[] }> {
  const names = (await readdir(folder)).filter((name) => LEFTOVER.test(name));
  const ages = await Promise.all(
    names.map(async (name) => Date.now() - (await stat(join(folder, name))).mtimeMs),
  );
  // All files of one backup are of the age of its youngest.
  const isLater = (name: string) =>
    names.some((other, at) => keyOf(other) === keyOf(name) && (ages[at] ?? 0) < HOUR_MS);
  const [later, old] = [names.filter(isLater), names.filter((name) => !isLater(name))];
  for (const name of old) await rm(join(folder, name), { force: true });
  return { removed: old.length, later };
}

function keyOf(leftover: string): string {
  return leftover.slice(0, leftover.lastIndexOf("."));
}

/** The names of the backups in a folder. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${folder} cannot be read (${error.code})`);
  });
  return names.filter((name) => name.endsWith(ENDING)).sort();
}
