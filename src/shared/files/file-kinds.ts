import { hasEntry, hasMacros, isCompoundFile } from "./compound-file.ts";
import { judgePackage, type Verdict } from "./office-package.ts";
import { latin } from "./zip.ts";

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

function judgeCompoundFile(bytes: Uint8Array, streams: readonly string[]): Verdict {
  if (!isCompoundFile(bytes)) return "other";
  if (hasMacros(bytes)) return "macro";
  return streams.some((name) => hasEntry(bytes, name)) ? "fits" : "other";
}
