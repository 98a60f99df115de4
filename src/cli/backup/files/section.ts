import { createHash } from "node:crypto";
import * as z from "zod";
import { isFilePath } from "#core/files/kept-files.ts";
import { MOST_FILE_BYTES } from "#shared/files/upload.ts";
import { parsed } from "#shared/json.ts";
import { Failure } from "../../failure.ts";
import type { Cutter } from "../file/cutter.ts";

/** A file that a record holds: where it is, and the media type that it is stored under. */
export type HeldFile = { folder: string; path: string; type: string };
/** A file as a backup has it; null where it was gone when the backup was made. */
export type BackedFile = HeldFile & { sha256: string; bytes: Buffer | null };
/** What the header says of the files: how many there are, their bytes, how many were gone, and the SHA-256 of all lines. */
export type FileSum = { count: number; bytes: number; missing: number; sha256: string };

const FILE = "-- file ";
const COMMENT = "-- ";
// Of a file; as base64 a line is a third longer.
const LINE_BYTES = 49_152;
const MOST_LINE = 70_000;
const DAMAGED = "The files of the backup are not what was written: the file is damaged";

const Entry = z.object({
  folder: z.string().regex(/^[a-z]{1,30}$/),
  path: z.string().refine(isFilePath, "must be the path of a file"),
  type: z.string(),
  size: z.int().min(0).max(MOST_FILE_BYTES),
  sha256: z.string(),
  missing: z.literal(true).optional(),
});

/** The lines of a file: what it is, then its bytes in base64. They are comments to SQL. */
export function* linesOf({ folder, path, type, bytes }: Omit<BackedFile, "sha256">): Generator<string> {
  const entry = { folder, path, type, size: bytes?.length ?? 0, sha256: sumOf(bytes) };
  yield `${FILE}${JSON.stringify(bytes === null ? { ...entry, missing: true } : entry)}\n`;
  for (let start = 0; bytes !== null && start < bytes.length; start += LINE_BYTES)
    yield `${COMMENT}${bytes.toString("base64", start, Math.min(start + LINE_BYTES, bytes.length))}\n`;
}

/** Sums lines as they pass, and the files that they are of. */
export class FileSummer {
  readonly #hash = createHash("sha256");
  readonly #sum = { count: 0, bytes: 0, missing: 0 };

  line(line: string): void {
    this.#hash.update(line);
  }

  file(bytes: Buffer | null): void {
    if (bytes === null) this.#sum.missing += 1;
    else this.#sum.count += 1;
    this.#sum.bytes += bytes?.length ?? 0;
  }

  end(): FileSum {
    return { ...this.#sum, sha256: this.#hash.digest("hex") };
  }
}

/**
 * Reads the files of a backup, one at a time. Throws a Failure where one has not its size or sum, where a path would lead
 * out of its folder, where they are out of order, or where they are not those of the header.
 */
export async function* filesIn(cutter: Cutter, header: FileSum): AsyncGenerator<BackedFile> {
  const summer = new FileSummer();
  const nextLine = async () => {
    const { text, found } = await cutter.until("\n", MOST_LINE, DAMAGED);
    if (!found && text !== "") throw new Failure(DAMAGED);
    summer.line(text);
    return text;
  };
  let before = "";
  for (let line = await nextLine(); line !== ""; line = await nextLine()) {
    const { size, missing, ...entry } = parseEntry(line);
    const place = `${entry.folder}/${entry.path}`;
    if (place <= before) throw new Failure(DAMAGED);
    before = place;
    const chunks: Buffer[] = [];
    for (let left = missing ? 0 : size; left > 0; ) {
      const text = await nextLine();
      const chunk = Buffer.from(text.slice(COMMENT.length), "base64");
      if (!text.startsWith(COMMENT) || chunk.length !== Math.min(left, LINE_BYTES))
        throw new Failure(DAMAGED);
      chunks.push(chunk);
      left -= chunk.length;
    }
    const bytes = missing ? null : Buffer.concat(chunks);
    if (sumOf(bytes) !== entry.sha256) throw new Failure(`The file ${place} of the backup is damaged`);
    summer.file(bytes);
    yield { ...entry, bytes };
  }
  const found = summer.end();
  if (JSON.stringify(Object.entries(found).sort()) !== JSON.stringify(Object.entries(header).sort()))
    throw new Failure(DAMAGED);
}

function parseEntry(line: string): z.output<typeof Entry> {
  const { data, error } = Entry.safeParse(
    line.startsWith(FILE) ? parsed(line.slice(FILE.length)) : undefined,
  );
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Failure(`${DAMAGED}: ${issue?.path.map(String).join(".") || "a line"} ${issue?.message}`);
}

function sumOf(bytes: Buffer | null): string {
  return createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
}
