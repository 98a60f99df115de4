import { Problem } from "#shared/problem.ts";

/** A file to be answered with. */
export type StoredFile = { name: string; type: string; size: number; body: ReadableStream };

/** What a record keeps of its file. `path` names it within its folder and never leaves the service. */
export type FileRecord = { path: string; name: string; type: string; size: number };

/** Of keys that a bucket deletes. */
const MOST_AT_ONCE = 1_000;

// As R2 says it, with its number or without.
const MISMATCH = /\(10037\)|checksum.*did not match/i;

/** One company's files of one kind. A path in it begins with a ULID, so paths sort by the time of their upload. */
export class Folder {
  readonly #bucket: R2Bucket;
  readonly #prefix: string;

  constructor(bucket: R2Bucket, name: string, companyId: number) {
    this.#bucket = bucket;
    this.#prefix = `${name}/${companyId}/`;
  }

  async put({ path, type }: FileRecord, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(this.#prefix + path, bytes, { httpMetadata: metadataOf(type) });
  }

  /** Throws 404 when the file is gone. */
  async get({ path, name, type }: Omit<FileRecord, "size">): Promise<StoredFile> {
    const object = await this.#bucket.get(this.#prefix + path);
    if (object === null) throw new Problem("not_found");
    return { name, type, size: object.size, body: object.body };
  }

  /** The bytes that a file has; null when it is gone. */
  async sizeOf(path: string): Promise<number | null> {
    return (await this.#bucket.head(this.#prefix + path))?.size ?? null;
  }

  /** Stores what comes, of a known length, once it has this SHA-256 (hexadecimal). Gives false where it has another. */
  async restore(
    { path, type }: Pick<FileRecord, "path" | "type">,
    body: ReadableStream,
    sha256: string,
  ): Promise<boolean> {
    try {
      await this.#bucket.put(this.#prefix + path, body, { httpMetadata: metadataOf(type), sha256 });
      return true;
    } catch (error) {
      if (MISMATCH.test(String(error))) return false;
      throw error;
    }
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

function metadataOf(contentType: string): R2HTTPMetadata {
  return { contentType, contentDisposition: "attachment" };
}
