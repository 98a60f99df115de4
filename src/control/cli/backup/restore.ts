import { Failure } from "../failure.ts";
import { callOnce, callPlatform } from "../request.ts";
import { companyDatabase, reading, refuseTaken } from "./databases.ts";
import { CLOSING, OPENING } from "./dump.ts";
import type { Company, Header } from "./header.ts";
import { problemsOf } from "./problems.ts";
import { readBackup } from "./read-file.ts";
import { reseal } from "./reseal.ts";
import { readSchema } from "./schema.ts";
import type { Stream } from "./stream.ts";
import { named, type Reader } from "./values.ts";
import { verifyBackup } from "./verify.ts";

type Platform = Parameters<typeof callPlatform>[0];
type Key = { client_id: string; client_secret: string };
type SelfCheck = { sound: boolean; broken: { invariant: string }[] };

/** A company that was opened from a backup: suspended, with the key of its administrator. */
export type Restored = {
  slug: string;
  status: "suspended";
  admin_key: Key;
  resealed: number;
  header: Header;
};

/**
 * Opens a new company from a backup of another and leaves it suspended. Its rows are put in place in one transaction,
 * which ends only when each table has the sum that the backup names.
 */
export async function restoreCompany(args: Platform, file: string, slug: string): Promise<Restored> {
  const { header, problems, found: state } = await verifyBackup(file, stateOf);
  if (problems.length > 0) throw new Failure(`${file} is not sound: ${problems[0]}`);
  if (header.source.control)
    throw new Failure(`${file} is of the control database: only a company can be restored`);
  const { company } = header.source;
  // The API and the databases may be of two services, by mistake: nothing of a company that is there is emptied.
  await refuseTaken(slug);
  const opened = await openAs(args, company, slug, state ?? "");
  const path = `/platform/companies/${slug}`;
  try {
    await callPlatform(args, "PATCH", path, { status: "suspended" });
    const { address } = await companyDatabase(slug);
    const resealed = await reading(address, (stream) => fill(stream, file, company.slug, slug));
    await callPlatform(args, "POST", `${path}/migrations`);
    const { sound, broken } = await callPlatform<SelfCheck>(args, "GET", `/platform/self-check/${slug}`);
    if (!sound) throw new Failure(`the self-check finds that this does not hold: ${broken[0]?.invariant}`);
    return { slug, status: "suspended", admin_key: opened.admin_key, resealed, header };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `${slug} was opened and is not restored; it is of no use, so take another name: ${reason}`,
    );
  }
}

async function openAs(args: Platform, company: Company, slug: string, state: string) {
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

async function fill(stream: Stream, file: string, from: string, to: string): Promise<number> {
  const [[name = null] = []] = await stream.all("SELECT name FROM database_name");
  await stream.all("BEGIN IMMEDIATE");
  await stream.all("PRAGMA defer_foreign_keys = ON");
  await empty(stream);
  const { header, parts } = await readBackup(file);
  for await (const part of parts) if (part !== OPENING && part !== CLOSING) await stream.script(part);
  const [problem] = await problemsOf(stream, header);
  if (problem !== undefined) throw new Failure(problem);
  const resealed = await reseal(stream, from, to);
  // A database bears its own name, which says whether it may be deleted.
  await stream.all("UPDATE database_name SET name = ?", [name]);
  await stream.all("COMMIT");
  return resealed;
}

async function empty(stream: Stream): Promise<void> {
  const { searches, tables } = await readSchema(stream);
  for (const { name } of [...searches, ...tables.toReversed()]) await stream.all(`DROP TABLE ${named(name)}`);
}
