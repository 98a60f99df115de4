import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { Failure } from "../failure.ts";
import { PART_END } from "./dump.ts";
import { type Header, parseHeader } from "./header.ts";

/** A backup as it is read: its header, and its SQL part by part. */
export type Backup = { header: Header; parts: AsyncGenerator<string> };

/**
 * Opens a backup. Throws a Failure when the file is no backup; reading its parts throws one when they differ from what
 * was written.
 */
export async function readBackup(file: string): Promise<Backup> {
  const chunks = unzipped(file);
  let text = "";
  while (!text.includes("\n")) {
    const step = await chunks.next();
    if (step.done === true) throw new Failure(`${file} is no backup of company-ops`);
    text += step.value;
  }
  const end = text.indexOf("\n");
  const header = parseHeader(text.slice(0, end));
  return { header, parts: partsOf(text.slice(end + 1), chunks, header) };
}

async function* partsOf(
  first: string,
  chunks: AsyncGenerator<string>,
  { sql }: Header,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  let rest = first;
  for (;;) {
    let from = 0;
    for (let at = endOf(rest, from); at >= 0; at = endOf(rest, from)) {
      const part = rest.slice(from, at);
      hash.update(part);
      bytes += Buffer.byteLength(part);
      yield part;
      from = at;
    }
    rest = rest.slice(from);
    const step = await chunks.next();
    if (step.done === true) break;
    rest += step.value;
  }
  if (rest !== "" || bytes !== sql.bytes || hash.digest("hex") !== sql.sha256)
    throw new Failure("The SQL of the backup is not what was written: the file is damaged");
}

/** Where the part that begins at `from` ends; negative while it has not ended. */
function endOf(text: string, from: number): number {
  const at = text.indexOf(`\n${PART_END}`, from);
  return at < 0 ? at : at + 1 + PART_END.length;
}

async function* unzipped(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip()).setEncoding("utf8");
  source.once("error", (error) => text.destroy(error));
  try {
    for await (const chunk of text) yield chunk as string;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === "ENOENT" ? `There is no ${file}` : `${file} cannot be read: ${message}`);
  }
}
