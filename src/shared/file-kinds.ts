/** The kinds of document that may be sent, by extension, and the media type each is stored under. */
export const MEDIA_TYPES = {
  pdf: "application/pdf",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

export type FileKind = keyof typeof MEDIA_TYPES;

/** What the bytes are: of the kind, of another one, or with a macro in them. */
export type Verdict = "fits" | "other" | "macro";

const PDF_WITHIN = 1_024;
const OLE_STREAMS: Partial<Record<FileKind, string[]>> = {
  doc: ["WordDocument"],
  xls: ["Workbook", "Book"],
  ppt: ["PowerPoint Document"],
};
/** A project of macros, or a document that may have one. */
const MACRO = /(?:vbaProject\.bin|\.(?:doc|xls|ppt)m)$/i;
const PACKAGE_FOLDERS: Partial<Record<FileKind, string>> = { docx: "word/", xlsx: "xl/", pptx: "ppt/" };
const MOST_ENTRIES = 2_000;
const MOST_UNPACKED = 100 * 1024 * 1024;

/** Judges a file by its bytes alone; the type that the client names is not asked. */
export function judgeFile(kind: FileKind, bytes: Uint8Array): Verdict {
  const streams = OLE_STREAMS[kind];
  if (streams !== undefined) return judgeCompoundFile(bytes, streams);
  const folder = PACKAGE_FOLDERS[kind];
  if (folder !== undefined) return judgePackage(bytes, folder);
  return latin(bytes.subarray(0, PDF_WITHIN)).includes("%PDF-") ? "fits" : "other";
}

/** Microsoft's compound file: a directory entry begins at a multiple of 128 bytes with its UTF-16 name. */
function judgeCompoundFile(bytes: Uint8Array, streams: readonly string[]): Verdict {
  if (latin(bytes.subarray(0, 8)) !== "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") return "other";
  if (hasEntry(bytes, "_VBA_PROJECT")) return "macro";
  return streams.some((name) => hasEntry(bytes, name)) ? "fits" : "other";
}

const ENTRY_SIZE = 128;
const ENTRY_NAME_LENGTH = 64;
const ENTRY_TYPE = 66;
const STREAM = 2;

function hasEntry(bytes: Uint8Array, name: string): boolean {
  // With the NUL that ends it.
  const wanted = [...`${name}\0`].map((character) => character.charCodeAt(0));
  for (let at = 0; at + ENTRY_SIZE <= bytes.length; at += ENTRY_SIZE) {
    if (bytes[at + ENTRY_NAME_LENGTH] !== wanted.length * 2 || bytes[at + ENTRY_TYPE] !== STREAM) continue;
    if (wanted.every((code, index) => bytes[at + 2 * index] === code && bytes[at + 2 * index + 1] === 0))
      return true;
  }
  return false;
}

/** An Office package is a ZIP file; its central directory names what is in it, and nothing has to be unpacked. */
function judgePackage(bytes: Uint8Array, folder: string): Verdict {
  const names = namesInZip(bytes);
  if (names?.some((name) => MACRO.test(name))) return "macro";
  const fits = names?.includes("[Content_Types].xml") && names.some((name) => name.startsWith(folder));
  return fits ? "fits" : "other";
}

const DIRECTORY_END = 22;
const LONGEST_COMMENT = 65_535;
const DIRECTORY_ENTRY = 46;

/** The names in a ZIP file's central directory; undefined where it is none, is broken, or would unpack to too much. */
function namesInZip(bytes: Uint8Array): string[] | undefined {
  if (latin(bytes.subarray(0, 4)) !== "PK\x03\x04") return undefined;
  const tail = Math.max(0, bytes.length - DIRECTORY_END - LONGEST_COMMENT);
  const end = tail + latin(bytes.subarray(tail)).lastIndexOf("PK\x05\x06");
  if (end < tail || end + DIRECTORY_END > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let unpacked = 0;
  if (count > MOST_ENTRIES) return undefined;
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY_ENTRY > end || latin(bytes.subarray(at, at + 4)) !== "PK\x01\x02") return undefined;
    unpacked += view.getUint32(at + 24, true);
    const length = view.getUint16(at + 28, true);
    names.push(latin(bytes.subarray(at + DIRECTORY_ENTRY, at + DIRECTORY_ENTRY + length)));
    at += DIRECTORY_ENTRY + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return unpacked > MOST_UNPACKED ? undefined : names;
}

/** Bytes as text, a character each. */
function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
