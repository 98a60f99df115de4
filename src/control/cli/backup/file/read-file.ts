import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { Failure } from "../../failure.ts";
import { MOST_PART, PART_END } from "../dump/dump.ts";
import { Cutter } from "./cutter.ts";
import type { Header } from "./header.ts";
import { parseHeader } from "./parse-header.ts";
import { type PartCheck, partCheck } from "./statements.ts";

/** A backup as it is read: its header, and its SQL part by part. */
export type Backup = { header: Header; parts: AsyncGenerator<string> };

// One has some ten kilobytes.
const MOST_HEADER = 1_000_000;
const DAMAGED = "The SQL of the backup is not what was written: the file is damaged";

/**
 * Opens a backup. Throws a Failure where the file is none; reading its parts ends with one where they are not those
 * that were written, or anything but a dump of what its migrations make.
 */
export async function readBackup(file: string): Promise<Backup> {
  const chunks = unzipped(file);
  try {
    const cutter = new Cutter(chunks);
    const none = `${file} is no backup of company-ops`;
    const { text, found } = await cutter.until("\n", MOST_HEADER, `${none}: its first line does not end`);
    if (!found) throw new Failure(none);
    const header = parseHeader(text.trimEnd());
    return {
      header,
      parts: partsOf(cutter, header, await partCheck(header), () => chunks.return(undefined)),
    };
  } catch (error) {
    await chunks.return(undefined);
    throw error;
  }
}

async function* partsOf(
  cutter: Cutter,
  { sql }: Header,
  check: PartCheck,
  close: () => Promise<unknown>,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for (;;) {
      const left = sql.bytes - bytes;
      const most = Math.min(left, MOST_PART);
      const message =
        left < MOST_PART ? DAMAGED : `A part of the backup has more than ${MOST_PART} characters`;
      const { text, found } = await cutter.until(`\n${PART_END}`, most, message);
      if (!found && text !== "") throw new Failure(DAMAGED);
      if (!found) break;
      hash.update(text);
      bytes += Buffer.byteLength(text);
      if (bytes > sql.bytes) throw new Failure(DAMAGED);
      check.admit(text);
      yield text;
    }
  } finally {
    await close();
  }
  if (bytes !== sql.bytes || hash.digest("hex") !== sql.sha256) throw new Failure(DAMAGED);
  check.end();
}

async function* unzipped(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip()).setEncoding("utf8");
  source.once("error", (error) => text.destroy(error));
  try {
    for await (const chunk of text) yield chunk as string;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === "ENOENT" ? `There is no ${file}` : `${file} cannot be read: ${message}`);
  } finally {
    source.destroy();
  }
}
