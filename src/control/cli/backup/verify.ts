import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { Failure } from "../failure.ts";
import { hasMasterKey } from "./database/seals.ts";
import { problemsOf } from "./dump/problems.ts";
import { readerOf } from "./dump/sqlite.ts";
import type { Reader } from "./dump/values.ts";
import type { Header } from "./file/header.ts";
import { passing } from "./file/passing.ts";
import { readBackup } from "./file/read-file.ts";

/** What a backup says of itself, what is wrong with it (nothing, for a sound one), and what was looked up in it. */
export type Verified<Found> = { header: Header; problems: string[]; found?: Found };

const MOST_PROBLEMS = 20;

/** Loads a backup into a database of its own, counts and sums its rows again, and checks its references. */
export async function verifyBackup<Found = undefined>(
  file: string,
  look?: (reader: Reader) => Promise<Found>,
): Promise<Verified<Found>> {
  const { header, parts } = await readBackup(file);
  const folder = await mkdtemp(join(tmpdir(), "company-ops-verify-"));
  return passing([folder], async () => {
    const scratch = new DatabaseSync(join(folder, "scratch.db"));
    // A file that somebody else wrote may do nothing outside the scratch database.
    scratch.setAuthorizer((action) =>
      action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK,
    );
    try {
      scratch.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
      for await (const part of parts) load(scratch, part);
      const reader = readerOf(scratch);
      const all = await problemsOf(reader, header);
      if (all.length === 0) all.push(...(await slugProblems(reader, header)));
      const problems = all.slice(0, MOST_PROBLEMS);
      const found = problems.length === 0 ? await look?.(reader) : undefined;
      return { header, problems, ...(found === undefined ? {} : { found }) };
    } catch (error) {
      if (error instanceof Failure) return { header, problems: [error.message] };
      throw error;
    } finally {
      scratch.close();
    }
  });
}

/** Whether the header names the company that the secrets were sealed for, where there is a key that tells. */
async function slugProblems(reader: Reader, { source }: Header): Promise<string[]> {
  if (source.control || !hasMasterKey()) return [];
  // It knows every feature's secrets, and they take a second to load.
  const { foreignSeals } = await import("./database/reseal.ts");
  return foreignSeals(reader, source.company.slug);
}

function load(scratch: DatabaseSync, part: string): void {
  try {
    scratch.exec(part);
  } catch (error) {
    throw new Failure(`SQLite refuses the SQL: ${(error as Error).message}`);
  }
}
