import { Failure, lineOf } from "../../failure.ts";
import type { PlatformArguments } from "../../request.ts";
import { companyDatabase, reading } from "../database/databases.ts";
import { readBackup } from "../file/read-file.ts";
import { isHeld } from "./held.ts";
import { isStored, storeFile } from "./transfer.ts";

/** What became of a backup's files: how many were put back, how many were there, and the paths of those that no one has. */
export type RestoredFiles = { stored: number; present: number; missing: string[] };

/**
 * Puts a backup's files back below the company's own prefix: those that a record of its database holds and that are not
 * there. May be done again, and goes on where it ended.
 */
export async function restoreFiles(
  args: PlatformArguments,
  file: string,
  slug: string,
): Promise<RestoredFiles> {
  const { address } = await companyDatabase(slug);
  const done: RestoredFiles = { stored: 0, present: 0, missing: [] };
  await using backup = await readBackup(file);
  try {
    for await (const { bytes, ...one } of backup.files()) {
      if (!(await reading(address, (stream) => isHeld(stream, one)))) continue;
      if (await isStored(args, slug, one)) done.present += 1;
      else if (bytes === null) done.missing.push(`${one.folder}/${one.path}`);
      else {
        await storeFile(args, slug, { ...one, bytes });
        done.stored += 1;
      }
    }
  } catch (error) {
    throw new Failure(
      `${slug} has its records and not all of its files; go on with company-ops restore ${file} --files-of ${slug}: ${lineOf(error)}`,
    );
  }
  return done;
}
