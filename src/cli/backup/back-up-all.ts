import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withConcurrency } from "#core/jobs.ts";
import { counted } from "#shared/text/counted.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { Failure } from "../failure.ts";
import { openCompanies, overFleet, refuseFailed } from "../fleet.ts";
import { progressOf } from "../progress.ts";
import { type PlatformArguments, print } from "../request.ts";
import { backUp, recordBackup } from "./back-up.ts";
import { controlDatabase, openSlugs, ownDatabase } from "./database/databases.ts";
import { readBackup } from "./file/read-file.ts";
import { CONTROL_BACKUP, fileOf, removeLeftovers } from "./folder.ts";
import { reportMissing, summary } from "./said.ts";

type Asked = PlatformArguments & { "without-files": boolean; json: boolean };

/**
 * Backs up the control database, and then each company, into a file of its own. A file is there once it is whole, so a run
 * after one that was killed leaves out what that wrote.
 */
export async function backUpAll(asked: Asked, folder: string, atOnce: number): Promise<void> {
  const slugs = await openSlugs();
  if (slugs.length === 0)
    throw new Failure(
      "The control database has no open company, so there is nothing to back up: is CONTROL_DATABASE_URL right?",
    );
  const wrong = slugs.find((slug) => !isCompanySlug(slug));
  if (wrong !== undefined) throw new Failure(`The control database has a company of the slug ${wrong}`);
  await makeFolder(folder);
  const progress = progressOf(asked.json);
  const { removed, later } = await removeLeftovers(folder);
  if (removed > 0) progress.say(`${counted(removed, "file")} of backups that were killed: removed`);
  for (const name of later)
    progress.say(`${name} is of a backup that was killed within the hour, or of one that still runs`);
  const control = join(folder, CONTROL_BACKUP);
  if (existsSync(control)) progress.say("The control database is there already");
  else {
    const backedUp = await backUp({ ...asked, isOwn: false }, controlDatabase(), control);
    progress.say(`The control database: ${summary(backedUp)}`);
  }
  const left = slugs.filter((slug) => !existsSync(fileOf(folder, slug)));
  const there = slugs.length - left.length;
  if (there > 0) progress.say(`${counted(there, "company", "companies")} are there already`);
  if (there > 0 && !asked["without-files"]) await recordThere(asked, folder, atOnce);
  const title = `${counted(left.length, "company", "companies")} to back up`;
  const { done, failed } = await overFleet(left, { atOnce, progress, title }, async (slug) => {
    const file = fileOf(folder, slug);
    const backedUp = await backUp({ ...asked, isOwn: true }, await ownDatabase(slug), file);
    const { taken_at: takenAt, missing, unrecorded } = backedUp;
    const recorded = unrecorded === undefined ? "" : `; the service did not record it: ${unrecorded}`;
    const result = { slug, file, taken_at: takenAt, missing, recorded: unrecorded === undefined };
    return { result, line: summary(backedUp) + recorded };
  });
  progress.end(`${done.length} backed up in ${folder}`);
  if (asked.json) print({ folder, backed_up: done, there, failed });
  for (const { slug, missing } of done)
    reportMissing(
      missing.map((path) => `${slug}: ${path}`),
      "is not stored: a record names it, and the backup is without it",
    );
  if (done.some(({ missing }) => missing.length > 0)) process.exitCode = 1;
  refuseFailed(failed, left.length);
}

/** Records the backups in the folder that the API does not know: a run was killed before it recorded them. */
async function recordThere(asked: Asked, folder: string, atOnce: number): Promise<void> {
  const companies = await openCompanies(asked);
  const there = companies.filter(({ slug }) => existsSync(fileOf(folder, slug)));
  await withConcurrency(there, atOnce, async ({ slug, backed_up_at: known }) => {
    const file = fileOf(folder, slug);
    await using backup = await readBackup(file);
    const { taken_at: takenAt } = backup.header;
    if (known === null || known < takenAt) await recordBackup(asked, slug, file, takenAt);
  });
}

// What companies wrote is for the operator alone.
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${folder} cannot be made (${error.code})`);
  });
}
