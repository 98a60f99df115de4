import { Failure } from "../failure.ts";
import { controlDatabase, reading } from "./database/databases.ts";
import { hasMasterKey } from "./database/secret-kinds.ts";
import type { Stream } from "./database/stream.ts";
import { tokenKeys, tokensSaid } from "./database/token-keys.ts";
import { writeParts } from "./database/write-parts.ts";
import { problemsOf } from "./dump/problems.ts";
import type { Header } from "./file/header.ts";
import { readBackup } from "./file/read-file.ts";
import { verifyBackup } from "./verify.ts";

/** More companies than open between a backup and its restore: they keep their ids until the registry is rebuilt. */
const ROOM = 1_000_000;

/**
 * Fills the empty database that CONTROL_DATABASE_URL names from a backup of the control database, in one transaction, and
 * marks that it lacks what came since. Throws a Failure where anything is there, or the backup is not sound.
 */
export async function restoreControl(file: string): Promise<Header> {
  const { header, problems, found } = await verifyBackup(file, async (reader, { source }) =>
    source.control && hasMasterKey() ? tokenKeys(reader) : undefined,
  );
  if (problems.length > 0) throw new Failure(`${file} is not sound: ${problems[0]}`);
  if (!header.source.control) throw new Failure(`${file} is of a company: restore it with --as or --into`);
  if (found?.someOpen === false) throw new Failure(`Nothing was done. ${tokensSaid(found.missing[0] ?? "")}`);
  await reading(controlDatabase().address, (stream) => fill(stream, file, header));
  return header;
}

async function fill(stream: Stream, file: string, header: Header): Promise<void> {
  await stream.all("BEGIN IMMEDIATE");
  const there = await stream.all(
    "SELECT name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*' LIMIT 1",
  );
  if (there.length > 0)
    throw new Failure("The database at CONTROL_DATABASE_URL is not empty: make a new one, and name that");
  await stream.all("PRAGMA defer_foreign_keys = ON");
  const { parts } = await readBackup(file);
  await writeParts(stream, parts);
  const [problem] = await problemsOf(stream, header);
  if (problem !== undefined) throw new Failure(problem);
  await mark(stream, header);
  await stream.all("COMMIT");
}

async function mark(stream: Stream, header: Header): Promise<void> {
  // What was half done then is done by now: nothing may be removed because of it.
  await stream.all("DELETE FROM companies WHERE status = 'provisioning'");
  await stream.all("DELETE FROM abandoned_databases");
  await stream.all(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'companies', 0
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'companies')`,
  );
  await stream.all(`UPDATE sqlite_sequence SET seq = seq + ${ROOM} WHERE name = 'companies'`);
  await stream.all("INSERT INTO control_restores (taken_at, restored_at) VALUES (?, ?)", [
    BigInt(Date.parse(header.taken_at)),
    BigInt(Date.now()),
  ]);
}
