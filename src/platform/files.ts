import { HOUR_MS } from "#shared/durations.ts";
import { Problem } from "#shared/problem.ts";
import { ulid } from "#shared/ulid.ts";
import { mediaTypeOf, type Upload } from "#shared/upload.ts";
import type { Ctx } from "./context.ts";
import { AlreadyDone } from "./operation-memory.ts";

/** What is stored for a company, kind by kind. */
export type FolderName = "resumes" | "leads";

/** A file to be answered with; the name is fit for a header. */
export type StoredFile = { name: string; type: string; size: number; body: ReadableStream };

/** What a record keeps of its file. `path` names it within its folder and never leaves the service. */
export type FileRecord = { path: string; name: string; type: string; size: number };

/** Of keys that a bucket deletes. */
const MOST_AT_ONCE = 1_000;

/** One company's files of one kind. A path in it begins with a ULID, so paths sort by the time of their upload. */
export class Folder {
  readonly #bucket: R2Bucket;
  readonly #prefix: string;

  constructor(bucket: R2Bucket, name: FolderName, companyId: number) {
    this.#bucket = bucket;
    this.#prefix = `${name}/${companyId}/`;
  }

  async put({ path, type }: FileRecord, bytes: Uint8Array): Promise<void> {
    const httpMetadata = { contentType: type, contentDisposition: "attachment" };
    await this.#bucket.put(this.#prefix + path, bytes, { httpMetadata });
  }

  /** Throws 404 when the file is gone. */
  async get({ path, name, type }: Omit<FileRecord, "size">): Promise<StoredFile> {
    const object = await this.#bucket.get(this.#prefix + path);
    if (object === null) throw new Problem("not_found");
    return { name, type, size: object.size, body: object.body };
  }

  async delete(paths: readonly string[]): Promise<void> {
    for (let start = 0; start < paths.length; start += MOST_AT_ONCE) {
      const some = paths.slice(start, start + MOST_AT_ONCE);
      await this.#bucket.delete(some.map((path) => this.#prefix + path));
    }
  }

  /** At most 1,000 paths after one, in their order. */
  async listAfter(path: string): Promise<string[]> {
    const { objects } = await this.#bucket.list({ prefix: this.#prefix, startAfter: this.#prefix + path });
    return objects.map(({ key }) => key.slice(this.#prefix.length));
  }
}

/**
 * Stores the upload, if there is one, then writes its record; `pathIn` tells which file the written record holds. A
 * file that no record came to hold is deleted at once, or by `sweepFolder` where the outcome of the write is unknown.
 */
export async function withFile<Row>(
  ctx: Ctx,
  folder: FolderName,
  upload: Upload | undefined,
  write: (file: FileRecord | null) => Promise<Row>,
  pathIn: (row: Row) => string | null,
): Promise<Row> {
  if (upload === undefined) return write(null);
  const name = upload.safeName;
  const file = {
    path: `${ctx.newId()}/${name}`,
    name,
    type: mediaTypeOf(upload),
    size: upload.bytes.length,
  };
  const files = ctx.files(folder);
  const discard = () => ctx.afterwards(files.delete([file.path]));
  await files.put(file, upload.bytes);
  try {
    const row = await write(file);
    if (pathIn(row) !== file.path) discard();
    return row;
  } catch (error) {
    const unknown = error instanceof Problem && error.code === "outcome_unknown";
    const held = error instanceof AlreadyDone && pathIn(error.row as Row) === file.path;
    if (!unknown && !held) discard();
    throw error;
  }
}

const LOOK_BACK_MS = 7 * 24 * HOUR_MS;
const TIME_CHARACTERS = 10;

/**
 * Deletes the files of the last week that no record holds: what a lost connection or a killed process left. Those of
 * the last hour are let be, for their record may be on its way. `heldBetween` gives the paths that records hold.
 */
export async function sweepFolder(
  ctx: Ctx,
  folder: FolderName,
  heldBetween: (first: string, last: string) => Promise<string[]>,
): Promise<void> {
  const files = ctx.files(folder);
  const youngest = timeOf(ctx.now - HOUR_MS);
  let after = timeOf(ctx.now - LOOK_BACK_MS);
  for (;;) {
    const paths = (await files.listAfter(after)).filter((path) => path < youngest);
    const [first] = paths;
    const last = paths.at(-1);
    if (first === undefined || last === undefined) return;
    const held = new Set(await heldBetween(first, last));
    await files.delete(paths.filter((path) => !held.has(path)));
    after = last;
  }
}

/** What the ULIDs of one millisecond begin with. */
function timeOf(epochMs: number): string {
  return ulid(Math.max(0, epochMs)).slice(0, TIME_CHARACTERS);
}
