/** What a file's bytes are: of the kind asked for, of another one, or with a macro in them. */
export type Verdict = "fits" | "other" | "macro";

/** A project of macros, or a document that may have one, by its name or by what the package says that a part is. */
const MACRO_NAME = /(?:vbaProject\.bin|\.(?:doc|xls|ppt)m)$/i;
const MACRO_TYPE = /macro|vba/i;
const TYPES = "[Content_Types].xml";
const MOST_ENTRIES = 2_000;
const MOST_UNPACKED = 100 * 1024 * 1024;
const MOST_TYPES = 1024 * 1024;

/** One file of a ZIP file, as its directory tells of it; `at` is where its own head begins. */
type Entry = { name: string; flags: number; method: number; packed: number; unpacked: number; at: number };

/** Judges an Office package, which is a ZIP file. Of what is in it only the list of the parts' types is unpacked. */
export async function judgePackage(bytes: Uint8Array<ArrayBuffer>, folder: string): Promise<Verdict> {
  const entries = entriesInZip(bytes);
  if (entries === undefined) return "other";
  if (entries.some(({ name }) => MACRO_NAME.test(name))) return "macro";
  // Names of parts are equal in any case, so a second list might be the one that is read.
  const [list, second] = entries.filter(({ name }) => name.toLowerCase() === TYPES.toLowerCase());
  if (list?.name !== TYPES || second !== undefined) return "other";
  const types = typesIn(await unpack(bytes, list));
  if (types === undefined) return "other";
  if (types.some((type) => MACRO_TYPE.test(type))) return "macro";
  return entries.some(({ name }) => name.startsWith(folder)) ? "fits" : "other";
}

const DIRECTORY_END = 22;
const LONGEST_COMMENT = 65_535;
const DIRECTORY_ENTRY = 46;

/** What a ZIP file's central directory tells; undefined where it is none, is broken, or would unpack to too much. */
function entriesInZip(bytes: Uint8Array): Entry[] | undefined {
  if (latin(bytes.subarray(0, 4)) !== "PK\x03\x04") return undefined;
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

/** A file's content; undefined where it is encrypted, packed in an unusual way, broken, or too large for a list of types. */
async function unpack(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Uint8Array | undefined> {
  const { at, packed, flags, method } = entry;
  if ((flags & ENCRYPTED) !== 0 || at + FILE_HEAD > bytes.length) return undefined;
  if (latin(bytes.subarray(at, at + 4)) !== "PK\x03\x04") return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FILE_HEAD);
  const start = at + FILE_HEAD + view.getUint16(26, true) + view.getUint16(28, true);
  const content = bytes.subarray(start, start + packed);
  if (content.length !== packed) return undefined;
  if (method === STORED) return packed > MOST_TYPES ? undefined : content;
  return method === DEFLATED ? inflate(content) : undefined;
}

async function inflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const piece of new Blob([content])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))) {
      pieces.push(new Uint8Array(piece));
      size += piece.length;
      if (size > MOST_TYPES) return undefined;
    }
  } catch {
    return undefined;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

const CONTENT_TYPE = /\bContentType\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENCODING = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/;

/** The types that the list gives; undefined where it has a document type of its own, or an encoding that XML need not have. */
function typesIn(list: Uint8Array | undefined): string[] | undefined {
  if (list === undefined) return undefined;
  const [first, second] = list;
  const big = first === 0xfe && second === 0xff;
  const little = first === 0xff && second === 0xfe;
  const text = new TextDecoder(big ? "utf-16be" : little ? "utf-16le" : "utf-8").decode(list);
  const encoding = ENCODING.exec(text)?.[1] ?? "utf-8";
  if (!/^(?:utf-?8|utf-?16|us-ascii)$/i.test(encoding) || /<!DOCTYPE|\0/i.test(text)) return undefined;
  return [...text.matchAll(CONTENT_TYPE)].map(([, double, single]) => resolved(double ?? single ?? ""));
}

/** A value with its characters for the numbers that may stand for them. */
function resolved(value: string): string {
  return value.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (whole, hex: string, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Bytes as text, a character each. */
export function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
