import { judgePackage, latin, type Verdict } from "./office-package.ts";

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

const PDF_WITHIN = 1_024;
const OLE_STREAMS: Partial<Record<FileKind, string[]>> = {
  doc: ["WordDocument"],
  xls: ["Workbook", "Book"],
  ppt: ["PowerPoint Document"],
};
const PACKAGE_FOLDERS: Partial<Record<FileKind, string>> = { docx: "word/", xlsx: "xl/", pptx: "ppt/" };

/** Judges a file by its bytes alone; the type that the client names is not asked. A package takes its time to be unpacked. */
export function judgeFile(kind: FileKind, bytes: Uint8Array<ArrayBuffer>): Verdict | Promise<Verdict> {
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
