const MOST_ENTRIES = 2_000;
const MOST_UNPACKED = 100 * 1024 * 1024;

/** One file of a ZIP file, as its directory lists it; `at` is where its own head begins. */
export type Entry = {
  name: string;
  flags: number;
  method: number;
  packed: number;
  unpacked: number;
  at: number;
};

const DIRECTORY_END = 22;
const LONGEST_COMMENT = 65_535;
const DIRECTORY_ENTRY = 46;

/** Whether the bytes begin as a ZIP file does. */
export function isZip(bytes: Uint8Array): boolean {
  return latin(bytes.subarray(0, 4)) === "PK\x03\x04";
}

/** What a ZIP file's central directory lists; undefined where it is none, is broken, or would unpack to too much. */
export function entriesInZip(bytes: Uint8Array): Entry[] | undefined {
  if (!isZip(bytes)) return undefined;
  const tail = Math.max(0, bytes.length - DIRECTORY_END - LONGEST_COMMENT);
  const end = tail + latin(bytes.subarray(tail)).lastIndexOf("PK\x05\x06");
  if (end < tail || end + DIRECTORY_END > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let unpacked = 0;
  if (count > MOST_ENTRIES) return undefined;
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY_ENTRY > end || latin(bytes.subarray(at, at + 4)) !== "PK\x01\x02") return undefined;
    const length = view.getUint16(at + 28, true);
    const entry = {
      name: latin(bytes.subarray(at + DIRECTORY_ENTRY, at + DIRECTORY_ENTRY + length)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    entries.push(entry);
    unpacked += entry.unpacked;
    at += DIRECTORY_ENTRY + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return unpacked > MOST_UNPACKED ? undefined : entries;
}

const FILE_HEAD = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** How many bytes may still come out of a ZIP file, and until when. */
export type Allowance = { bytes: number; deadline: AbortSignal };

/** A file's content; undefined where it is encrypted, packed in an unusual way, broken, or longer than is allowed. */
export async function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Entry,
  most: number,
  allowance: Allowance,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const content = packedContent(bytes, entry);
  if (content === undefined) return undefined;
  if (entry.method === STORED) return content.length > most ? undefined : content;
  return inflate(content, most, allowance);
}

// Deflated, these have the first byte of any content; a stream that shows none by then has been made so.
const PEEKED = 4_096;
const PEEK_MS = 500;

/** How a file's content begins; undefined as for `unpack`. */
export async function unpackBeginning(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Entry,
): Promise<Uint8Array | undefined> {
  const content = packedContent(bytes, entry);
  if (content === undefined || entry.method === STORED) return content;
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  const fed = writer.write(content.subarray(0, PEEKED));
  // The rest would be unpacked too, and an end before it would be a fault that hides what came.
  const ended = content.length > PEEKED ? fed : Promise.all([fed, writer.close()]);
  ended.catch(() => undefined);
  const first = await Promise.race([reader.read(), pause(PEEK_MS)]).catch(() => undefined);
  reader.cancel().catch(() => undefined);
  return first?.value ?? (first?.done ? new Uint8Array() : undefined);
}

/** Waits, so that others have the isolate. */
export function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}

function packedContent(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Uint8Array<ArrayBuffer> | undefined {
  const { at, packed, flags, method } = entry;
  if ((flags & ENCRYPTED) !== 0 || at + FILE_HEAD > bytes.length) return undefined;
  if (!isZip(bytes.subarray(at))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FILE_HEAD);
  const start = at + FILE_HEAD + view.getUint16(26, true) + view.getUint16(28, true);
  const content = bytes.subarray(start, start + packed);
  return content.length === packed && (method === STORED || method === DEFLATED) ? content : undefined;
}

async function inflate(
  content: Uint8Array<ArrayBuffer>,
  most: number,
  allowance: Allowance,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const inflated = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for await (const piece of inflated) {
      pieces.push(new Uint8Array(piece));
      size += piece.length;
      allowance.bytes -= piece.length;
      if (size > most || allowance.bytes < 0 || allowance.deadline.aborted) return undefined;
    }
  } catch {
    return undefined;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Bytes as text, a character each. */
export function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
