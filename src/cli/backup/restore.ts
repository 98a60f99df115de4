import { Failure, lineOf } from "../failure.ts";
import { callAgain, callOnce, callPlatform } from "../request.ts";
import { type Continuation, continuationsOf, continueAfter } from "./continuations.ts";
import { companyDatabase, reading, refuseTaken, spareDatabase, suspended } from "./database/databases.ts";
import { type Erasures, eraseAgain, erasuresSince } from "./database/erasures.ts";
import { applyMissing } from "./database/missing.ts";
import { type KeyNeeded, keySaid, keysNeeded, reencrypt, undecryptable } from "./database/re-encrypt.ts";
import type { Stream } from "./database/stream.ts";
import { writeParts } from "./database/write-parts.ts";
import { problemsOf } from "./dump/problems.ts";
import { readSchema } from "./dump/schema.ts";
import { named, type Reader } from "./dump/values.ts";
import type { Company, Header } from "./file/header.ts";
import { readBackup } from "./file/read-file.ts";
import { type RestoredFiles, restoreFiles } from "./files/restore-files.ts";
import { verifyBackup } from "./verify.ts";

type Platform = Parameters<typeof callPlatform>[0];
type Key = { client_id: string; client_secret: string };
type SelfCheck = { sound: boolean; broken: { invariant: string }[] };
type Spare = { database: string; spare: string };

// The events since the backup had sequences too, and receivers drop what is older than what they know.
const EVENTS_APART = 1_000_000;

/** A backup that was found sound, what is done with it, its master keys, and a line for each that is not here. */
type Sound = {
  file: string;
  header: Header;
  company: Company;
  state: string;
  continuations: Continuation[];
  keys: KeyNeeded[];
  closed: string[];
};
/** `erased`: records that were erased again; `unread`: why the company's own database did not say which. */
type Filled = { reencrypted: number; erased: number; unread?: string };
type Outcome = Filled & { status: "suspended"; header: Header; files: RestoredFiles };
/** A company that was opened from a backup: suspended, with the key of its administrator. */
export type Restored = Outcome & { slug: string; admin_key: Key };
/** A company that has the database of a backup in place of its own, which is kept. */
export type Replaced = Outcome & { slug: string; database: string; replaced: string };

/** Reads a backup of a company to its end. Throws a Failure where it is not sound, or its series cannot go on there. */
export async function soundBackup(file: string, continueAfter: string | undefined): Promise<Sound> {
  const { header, problems, found } = await verifyBackup(file, async (reader, { source }) => ({
    state: await stateOf(reader),
    keys: source.control ? [] : await keysNeeded(reader),
    continuations:
      continueAfter === undefined || source.control ? [] : await continuationsOf(reader, continueAfter),
  }));
  if (problems.length > 0) throw new Failure(`${file} is not sound: ${problems[0]}`);
  if (header.source.control)
    throw new Failure(`${file} is of the control database: restore it with --control`);
  const { state = "", continuations = [], keys = [] } = found ?? {};
  const closed = undecryptable(keys);
  return { file, header, company: header.source.company, state, continuations, keys, closed };
}

/**
 * Opens a new company from a backup of another and leaves it suspended. Its rows are put in place in one transaction,
 * which ends only when each table has the sum that the backup names.
 */
export async function restoreCompany(args: Platform, sound: Sound, slug: string): Promise<Restored> {
  const { header, company } = sound;
  const [closed] = sound.closed;
  if (closed !== undefined && company.slug !== slug) throw new Failure(`Nothing was done. ${closed}`);
  if (company.slug === slug) await requireKeys(args, sound.keys);
  // The API and the databases may be of two services, by mistake: nothing of a company that is there is emptied.
  await refuseTaken(slug);
  const erasures = await erasuresSince(company.slug, header.taken_at);
  let filled: Filled;
  const opened = await openAs(args, sound, slug);
  try {
    await callPlatform(args, "PATCH", pathOf(slug), { status: "suspended" });
    const { address } = await companyDatabase(slug);
    filled = await reading(address, (stream) => fill(stream, sound, company.slug, slug, erasures));
    await complete(args, sound, slug);
  } catch (error) {
    throw new Failure(
      `${slug} was opened and is not restored; it is of no use, so take another name: ${lineOf(error)}`,
    );
  }
  const files = await restoreFiles(args, sound.file, slug);
  return { slug, status: "suspended", admin_key: opened.admin_key, ...filled, files, header };
}

/**
 * Puts a backup in the place of the suspended company that it is of. It fills a spare database, which then changes places
 * with the company's own; where anything fails, the company has its own again, unless that is lost.
 */
export async function replaceCompany(
  args: Platform,
  sound: Sound,
  slug: string,
  lost?: string,
): Promise<Replaced> {
  const { header, company } = sound;
  if (company.slug !== slug)
    throw new Failure(`${sound.file} is of company ${company.slug}: restore it as a new one, with --as`);
  if (!(await suspended(slug)))
    throw new Failure(`${slug} is not suspended: company-ops company suspend ${slug}`);
  await requireKeys(args, sound.keys);
  const erasures = await erasuresSince(slug, header.taken_at);
  if (erasures.unread !== undefined) await requireMarkable(args, slug, erasures.unread, lost);
  const path = `${pathOf(slug)}/spare-database`;
  const { database: own, spare } = await callOnce<Spare>(args, path);
  const use = (name: string) => callOnce<Spare>(args, `${path}/${name}/use`, { lost });
  let filled: Filled;
  try {
    const address = await spareDatabase(slug);
    filled = await reading(address, (stream) => fill(stream, sound, slug, slug, erasures, own));
    await use(spare);
    await complete(args, sound, slug);
  } catch (error) {
    // Also where an answer was lost, or the service died in between: what was begun is ended, or completed and undone.
    const undone = use(own).catch(() => use(spare).then(() => use(own)));
    await undone.catch((failed) => {
      if (lost !== own) throw failed;
    });
    const { database } = await callPlatform<{ database: string }>(args, "GET", pathOf(slug));
    if (database === spare)
      throw new Failure(
        `${slug} has the restored database ${spare} in place of the lost one, but: ${lineOf(error)}. Before another backup is restored: company-ops company remove-spare ${slug} ${own}`,
      );
    // Named, so that it never is the company's own, whatever an answer that was lost has done.
    await callPlatform(args, "DELETE", `${path}/${spare}`);
    throw new Failure(`${slug} is not restored and has its own database, as before: ${lineOf(error)}`);
  }
  const files = await restoreFiles(args, sound.file, slug);
  return { slug, status: "suspended", database: spare, replaced: own, ...filled, files, header };
}

/** Throws a Failure where the service lacks a master key of the backup: restored by it, the audit log would not hold. */
async function requireKeys(args: Platform, keys: readonly KeyNeeded[]): Promise<void> {
  const path = "/platform/key-rotation";
  const has = await callPlatform<{ current_key_id: string; previous_key_id: string | null }>(
    args,
    "GET",
    path,
  );
  const missing = keys.find(({ key }) => key !== has.current_key_id && key !== has.previous_key_id);
  if (missing !== undefined)
    throw new Failure(`Nothing was done. ${keySaid(missing)} the service needs as PREVIOUS_MASTER_KEY`);
}

/** Throws a Failure where a company's own database, which this machine did not read, cannot say to the service whose it is. */
async function requireMarkable(
  args: Platform,
  slug: string,
  unread: string,
  lost: string | undefined,
): Promise<void> {
  const { database: own } = await callPlatform<{ database: string }>(args, "GET", pathOf(slug));
  if (lost === own) return;
  const asked = callAgain<{ company: object | null }>(args, "GET", `/platform/databases/${own}`);
  const claim = await asked.catch(() => null);
  if (claim !== null && claim.company !== null) return;
  throw new Failure(
    `Nothing was done. The database ${own} of ${slug} is damaged, empty or does not answer (${unread}): if it is lost, say so with --lost ${own}`,
  );
}

/** Writes what the control database says now, lets series go on, and checks all. */
async function complete(args: Platform, { continuations }: Sound, slug: string): Promise<void> {
  await callPlatform(args, "POST", `${pathOf(slug)}/migrations`);
  const { address } = await companyDatabase(slug);
  await reading(address, (stream) => continueAfter(stream, continuations));
  const { sound, broken } = await callPlatform<SelfCheck>(args, "GET", `/platform/self-check/${slug}`);
  if (!sound) throw new Failure(`the self-check finds that this does not hold: ${broken[0]?.invariant}`);
}

async function openAs(args: Platform, { company, state }: Sound, slug: string) {
  const { name, country, currency, timezone } = company;
  const body = { slug, name, country, currency, timezone, ...(state === "" ? {} : { state }) };
  return callOnce<{ admin_key: Key }>(args, "/platform/companies", body);
}

async function stateOf(reader: Reader): Promise<string> {
  // The control database has none.
  if ((await reader.all("SELECT 1 FROM sqlite_schema WHERE name = 'profile'")).length === 0) return "";
  const [[state] = []] = await reader.all("SELECT state FROM profile WHERE state IS NOT NULL");
  return String(state ?? "");
}

async function fill(
  stream: Stream,
  { file }: Sound,
  from: string,
  to: string,
  { erased, ...unread }: Erasures,
  replacedBy: string | null = null,
): Promise<Filled> {
  const [[name = null] = []] = await stream.all("SELECT name FROM database_name");
  await stream.all("BEGIN IMMEDIATE");
  await stream.all("PRAGMA defer_foreign_keys = ON");
  await empty(stream);
  await using backup = await readBackup(file);
  const { header, parts } = backup;
  await writeParts(stream, parts);
  const [problem] = await problemsOf(stream, header);
  if (problem !== undefined) throw new Failure(problem);
  await applyMissing(stream);
  const reencrypted = from === to ? 0 : await reencrypt(stream, from, to);
  await forgetCopies(stream);
  await markAs(stream, replacedBy);
  // In the same transaction: at no time is there a database that has them again.
  const again = await eraseAgain(stream, erased);
  await stream.all(`UPDATE sqlite_sequence SET seq = seq + ${EVENTS_APART} WHERE name = 'events'`);
  // Who follows the events learns that those since the backup are gone.
  await stream.all(`UPDATE event_feed SET epoch = lower(hex(randomblob(12))),
    forgotten = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)`);
  // A database bears its own name, which says whether it may be deleted.
  await stream.all("UPDATE database_name SET name = ?", [name]);
  await stream.all("COMMIT");
  return { reencrypted, erased: again, ...unread };
}

/** What the control database said then of the company that the backup is of; the migration writes what it says now. */
async function forgetCopies(stream: Stream): Promise<void> {
  await stream.all("DELETE FROM company_copy");
  await stream.all("DELETE FROM key_copies");
}

/** A spare database is marked as replaced until it is used, and a new company's is not, whatever the backup was of. */
async function markAs(stream: Stream, replacedBy: string | null): Promise<void> {
  if ((await stream.all("SELECT 1 FROM sqlite_schema WHERE name = 'database_generation'")).length === 0)
    return;
  await stream.all(
    `UPDATE database_generation SET replaced_by = ?1, replaced_generation = iif(?1 IS NULL, NULL, 1),
      replaced_at = iif(?1 IS NULL, NULL, ?2)`,
    [replacedBy, BigInt(Date.now())],
  );
}

async function empty(stream: Stream): Promise<void> {
  const { searches, tables } = await readSchema(stream);
  const views = await stream.all("SELECT name FROM sqlite_schema WHERE type = 'view'");
  const drops = [
    ...views.map(([name]) => `DROP VIEW ${named(String(name))};`),
    ...[...searches, ...tables.toReversed()].map(({ name }) => `DROP TABLE ${named(name)};`),
  ];
  if (drops.length > 0) await stream.script(drops.join("\n"));
}

function pathOf(slug: string): string {
  return `/platform/companies/${slug}`;
}
