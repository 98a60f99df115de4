import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { Failure } from "../failure.ts";
import { hasMasterKey } from "./database/secret-kinds.ts";
import { tokenKeys, tokensSaid } from "./database/token-keys.ts";
import { problemsOf } from "./dump/problems.ts";
import { readerOf } from "./dump/sqlite.ts";
import type { Reader } from "./dump/values.ts";
import type { Header } from "./file/header.ts";
import { passing } from "./file/passing.ts";
import { type Backup, readBackup } from "./file/read-file.ts";

/** What a backup says of itself, what is wrong with it (nothing, for a sound one), and what was looked up in it. */
export type Verified<Found> = {
  header: Header;
  problems: string[];
  /** Files that were gone when the backup was made. */
  missing: string[];
  found?: Found;
};

const MOST_PROBLEMS = 20;

/**
 * Loads a backup into a database of its own, counts and sums its rows again, checks its references, and sums each of its
 * files again.
 */
export async function verifyBackup<Found = undefined>(
  file: string,
  look?: (reader: Reader, header: Header) => Promise<Found>,
): Promise<Verified<Found>> {
  await using backup = await readBackup(file);
  const { header } = backup;
  const missing: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "company-ops-verify-"));
  // Awaited here: the backup is let go of when this ends.
  return await passing([folder], async () => {
    const scratch = new DatabaseSync(join(folder, "scratch.db"));
    // A file that another person wrote may do nothing outside the scratch database.
    scratch.setAuthorizer((action) =>
      action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK,
    );
    try {
      const reader = readerOf(scratch);
      const problems = await problemsIn(scratch, reader, backup, missing);
      // Outside of what judges the file: what is refused there is not the file's fault.
      const found = problems.length === 0 ? await look?.(reader, header) : undefined;
      return { header, problems, missing, ...(found === undefined ? {} : { found }) };
    } finally {
      scratch.close();
    }
  });
}

/** Loads the backup and names what is wrong with it; paths of files that were gone are added to those missing. */
async function problemsIn(
  scratch: DatabaseSync,
  reader: Reader,
  backup: Backup,
  missing: string[],
): Promise<string[]> {
  const { header, parts } = backup;
  try {
    scratch.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    for await (const part of parts) load(scratch, part);
    const all = await problemsOf(reader, header);
    if (all.length === 0) all.push(...(await slugProblems(reader, header)));
    if (all.length === 0) all.push(...(await fileProblems(reader, backup, missing)));
    return all.slice(0, MOST_PROBLEMS);
  } catch (error) {
    if (error instanceof Failure) return [error.message];
    throw error;
  }
}

/** Reads every file, and looks whether they are those that records hold. */
async function fileProblems(reader: Reader, backup: Backup, missing: string[]): Promise<string[]> {
  if (backup.header.files === undefined) return [];
  const { countHeld, isHeld } = await import("./files/held.ts");
  let count = 0;
  for await (const { bytes, ...one } of backup.files()) {
    const place = `${one.folder}/${one.path}`;
    if (!(await isHeld(reader, one))) return [`No record holds the file ${place}`];
    if (bytes === null) missing.push(place);
    count += 1;
  }
  const held = await countHeld(reader);
  return held === count ? [] : [`Records hold ${held} files, and the backup has ${count}`];
}

/** Whether the header names the company that the secrets were encrypted for, where a key here opens them. */
async function slugProblems(reader: Reader, { source }: Header): Promise<string[]> {
  if (source.control || !hasMasterKey()) return [];
  // It knows every feature's secrets, and they take a second to load.
  const { foreignSecrets } = await import("./database/re-encrypt.ts");
  return foreignSecrets(reader, source.company.slug);
}

/** The secrets that no key here opens; none where there is no key at all. */
export async function unopened(reader: Reader, { source }: Header): Promise<string[]> {
  if (!hasMasterKey()) return [];
  if (source.control) return (await tokenKeys(reader)).missing.map(tokensSaid);
  const { keysNeeded, undecryptable } = await import("./database/re-encrypt.ts");
  return undecryptable(await keysNeeded(reader));
}

function load(scratch: DatabaseSync, part: string): void {
  try {
    scratch.exec(part);
  } catch (error) {
    throw new Failure(`SQLite refuses the SQL: ${(error as Error).message}`);
  }
}
