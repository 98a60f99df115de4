import { createHash, randomBytes } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { Failure } from "../../failure.ts";
import { type Dumped, dump, MOST_PART } from "../dump/dump.ts";
import type { Reader } from "../dump/values.ts";
import { type FileSum, FileSummer, type HeldFile, linesOf } from "../files/section.ts";
import type { FetchFile } from "../files/transfer.ts";
import { headerLine, type Source } from "./header.ts";
import { passing } from "./passing.ts";

// What a company wrote is for the operator alone.
const PRIVATE = 0o600;
/** The first SQLite that knows `contentless_delete` of FTS5, which the searches are made with. */
export const SQLITE_NEEDED = "3.43";
const NEEDS = `-- For sqlite3 ${SQLITE_NEEDED} or newer: sqlite3 copy.db < this file. An older one does not know contentless_delete.\n`;

/** Writes the database as plain SQL. Throws a Failure where something is there already. */
export async function writeDump(reader: Reader, file: string): Promise<Dumped> {
  return whole(file, async (partial) => {
    const { parts, dumped } = heard(dump(reader), () => undefined);
    await append(partial, Readable.from([NEEDS]));
    await append(partial, parts);
    return dumped();
  });
}

/** What a backup holds; the paths of the files that records name and that are gone. */
export type BackedUp = Dumped & { taken_at: string; files?: FileSum; missing: string[] };

/**
 * Writes the database as a backup: a header, the SQL, and, where the caller says how to fetch them, the files that
 * records hold. Each is a member of one gzip file.
 */
export async function writeBackup(
  reader: Reader,
  file: string,
  source: Source,
  fetchFile?: FetchFile,
): Promise<BackedUp> {
  return whole(file, async (partial, rows, list) => {
    const hash = createHash("sha256");
    let bytes = 0;
    const takenAt = new Date().toISOString();
    const { parts, dumped } = heard(dump(reader), (part) => {
      hash.update(part);
      bytes += Buffer.byteLength(part);
    });
    await pipeline(Readable.from(parts), createGzip(), (chunks) => append(rows, chunks));
    const sql = { bytes, sha256: hash.digest("hex") };
    const { missing, ...backed } =
      fetchFile === undefined ? { missing: [] } : await writeFiles(reader, rows, list, fetchFile);
    await partial.writeFile(gzipSync(headerLine({ source, taken_at: takenAt, sql, ...dumped(), ...backed })));
    await append(partial, rows.createReadStream({ start: 0 }));
    return { taken_at: takenAt, ...dumped(), ...backed, missing };
  });
}

/** Appends the files that the snapshot's records hold, one at a time; they are fetched once its transaction is over. */
async function writeFiles(
  reader: Reader,
  target: FileHandle,
  list: FileHandle,
  fetchFile: FetchFile,
): Promise<{ files: FileSum; missing: string[] }> {
  const { heldFiles } = await import("../files/held.ts");
  for await (const held of heldFiles(reader)) await list.appendFile(`${JSON.stringify(held)}\n`);
  await reader.all("COMMIT");
  const summer = new FileSummer();
  const missing: string[] = [];
  async function* lines() {
    for await (const line of list.readLines({ start: 0, autoClose: false })) {
      const held: HeldFile = JSON.parse(line);
      const bytes = await fetchFile(held);
      if (bytes === null) missing.push(`${held.folder}/${held.path}`);
      summer.file(bytes);
      for (const text of linesOf({ ...held, bytes })) {
        summer.line(text);
        yield text;
      }
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), (chunks) => append(target, chunks));
  return { files: summer.end(), missing };
}

/**
 * Has a file written beside its place, and puts it there once it is whole and on the disk. All are new, under
 * unguessable names, so nothing that lies there is followed or overwritten.
 */
async function whole<Result>(
  file: string,
  write: (partial: FileHandle, rows: FileHandle, list: FileHandle) => Promise<Result>,
): Promise<Result> {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw taken(file);
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(`${file} cannot be written: there is no folder ${dirname(file)}`);
  const name = join(dirname(file), `company-ops-${randomBytes(16).toString("hex")}`);
  const [partial, rows, list] = [`${name}.partial`, `${name}.rows`, `${name}.files`];
  return passing([partial, rows, list], async () => {
    await using handle = await open(partial, "wx", PRIVATE).catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`${file} cannot be written: its folder takes no new file (${error.code})`);
    });
    await using apart = await open(rows, "wx+", PRIVATE);
    await using listed = await open(list, "wx+", PRIVATE);
    const dumped = await write(handle, apart, listed);
    await handle.sync();
    await place(partial, file);
    return dumped;
  });
}

async function append(file: FileHandle, chunks: AsyncIterable<string | Buffer>): Promise<void> {
  for await (const chunk of chunks) await file.writeFile(chunk);
}

/** Gives a file its name, unless something has it. */
async function place(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if (isThere(error)) throw taken(file);
    // A disk without links: the name is taken first, and then what took it is replaced.
    const claim = await open(file, "wx", PRIVATE).catch((refused: unknown) => {
      throw isThere(refused) ? taken(file) : refused;
    });
    await claim.close();
    await rename(partial, file).catch(async (refused: unknown) => {
      await rm(file, { force: true });
      throw refused;
    });
  }
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

function taken(file: string): Failure {
  return new Failure(`${file} is there already: name another file`);
}

/** The parts of a dump, and what the dump gave when it ended. `hear` gets each part as it passes. */
function heard(parts: AsyncGenerator<string, Dumped>, hear: (part: string) => void) {
  let dumped: Dumped | undefined;
  async function* passing() {
    for (let step = await parts.next(); ; step = await parts.next()) {
      if (step.done === true) {
        dumped = step.value;
        return;
      }
      if (step.value.length > MOST_PART) throw new Failure("A row is too long for a dump");
      hear(step.value);
      yield step.value;
    }
  }
  return {
    parts: passing(),
    dumped(): Dumped {
      if (dumped === undefined) throw new Failure("The dump ended early");
      return dumped;
    },
  };
}
