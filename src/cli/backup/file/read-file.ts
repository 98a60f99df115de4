import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { Failure } from "../../failure.ts";
import { MOST_PART, PART_END } from "../dump/dump.ts";
import { type BackedFile, filesIn } from "../files/section.ts";
import { Cutter } from "./cutter.ts";
import type { Header } from "./header.ts";
import { parseHeader } from "./parse-header.ts";
import { type PartCheck, partCheck } from "./statements.ts";

/** A backup as it is read: its header, its SQL part by part, and then its files. */
export type Backup = AsyncDisposable & {
  header: Header;
  parts: AsyncGenerator<string>;
  /** Its files one by one, after what is left of its SQL; none, where the backup has none. */
  files: () => AsyncGenerator<BackedFile>;
};

// One has some ten kilobytes.
const MOST_HEADER = 1_000_000;
const DAMAGED = "The SQL of the backup is not what was written: the file is damaged";

/**
 * Opens a backup, which is to be disposed of. Throws a Failure where the file is none; reading its parts and its files
 * ends with one where they are not those that were written, or the parts anything but a dump of what its migrations make.
 */
export async function readBackup(file: string): Promise<Backup> {
  const chunks = unzipped(file);
  try {
    const cutter = new Cutter(chunks);
    const none = noBackup(file);
    const { text, found } = await cutter.until("\n", MOST_HEADER, `${none}: its first line does not end`);
    if (!found) throw new Failure(none);
    const header = parseHeader(text.trimEnd());
    const parts = partsOf(cutter, header, await partCheck(header));
    return {
      header,
      parts,
      files: () => filesOf(cutter, header, parts),
      [Symbol.asyncDispose]: async () => void (await chunks.return(undefined)),
    };
  } catch (error) {
    await chunks.return(undefined);
    throw error;
  }
}

function noBackup(file: string): string {
  return `${file} is no backup of company-ops`;
}

async function* partsOf(cutter: Cutter, { sql, files }: Header, check: PartCheck): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  while (files === undefined || bytes < sql.bytes) {
    const left = sql.bytes - bytes;
    const most = Math.min(left, MOST_PART);
    const message = left < MOST_PART ? DAMAGED : `A part of the backup has more than ${MOST_PART} characters`;
    const { text, found } = await cutter.until(`\n${PART_END}`, most, message);
    if (!found && text !== "") throw new Failure(DAMAGED);
    if (!found) break;
    hash.update(text);
    bytes += Buffer.byteLength(text);
    if (bytes > sql.bytes) throw new Failure(DAMAGED);
    check.admit(text);
    yield text;
  }
  if (bytes !== sql.bytes || hash.digest("hex") !== sql.sha256) throw new Failure(DAMAGED);
  check.end();
}

async function* filesOf(
  cutter: Cutter,
  { files }: Header,
  parts: AsyncGenerator<string>,
): AsyncGenerator<BackedFile> {
  while ((await parts.next()).done !== true);
  if (files !== undefined) yield* filesIn(cutter, files);
}

async function* unzipped(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip()).setEncoding("utf8");
  source.once("error", (error) => text.destroy(error));
  try {
    for await (const chunk of text) yield chunk as string;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Failure(`There is no ${file}`);
    // Its first bytes are not those of gzip.
    if (message === "incorrect header check") throw new Failure(noBackup(file));
    throw new Failure(`${file} cannot be read: ${message}`);
  } finally {
    source.destroy();
  }
}
