import { hasEntry, hasMacros, isCompoundFile } from "./compound-file.ts";
import { judgePackage, type Verdict } from "./office-package.ts";
import { latin } from "./zip.ts";

/** The kinds of file that may be kept, by extension, and the media type each is stored under. */
export const MEDIA_TYPES = {
  pdf: "application/pdf",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

export type FileKind = keyof typeof MEDIA_TYPES;

const PDF_WITHIN = 1_024;
const OLE_STREAMS: Partial<Record<FileKind, string[]>> = {
  doc: ["WordDocument"],
  xls: ["Workbook", "Book"],
  ppt: ["PowerPoint Document"],
};
const PACKAGE_FOLDERS: Partial<Record<FileKind, string>> = { docx: "word/", xlsx: "xl/", pptx: "ppt/" };

type ImageKind = "png" | "jpg" | "webp";
// 0x89 as Windows-1252 has it, which the decoder's latin1 is.
const PNG = "\u2030PNG\r\n\x1a\n";

/** Judges a file by its bytes alone; the type that the client names is not asked. A package takes its time to be unpacked. */
export function judgeFile(kind: FileKind, bytes: Uint8Array<ArrayBuffer>): Verdict | Promise<Verdict> {
  const streams = OLE_STREAMS[kind];
  if (streams !== undefined) return judgeCompoundFile(bytes, streams);
  const folder = PACKAGE_FOLDERS[kind];
  if (folder !== undefined) return judgePackage(bytes, folder);
  if (kind !== "pdf") return imageKindOf(bytes) === kind ? "fits" : "other";
  return latin(bytes.subarray(0, PDF_WITHIN)).includes("%PDF-") ? "fits" : "other";
}

/** The kind of image that the bytes begin as; undefined for anything else. */
export function imageKindOf(bytes: Uint8Array): ImageKind | undefined {
  const beginning = latin(bytes.subarray(0, 12));
  if (beginning.startsWith(PNG)) return "png";
  if (beginning.startsWith("\xff\xd8\xff")) return "jpg";
  return beginning.startsWith("RIFF") && beginning.endsWith("WEBP") ? "webp" : undefined;
}

function judgeCompoundFile(bytes: Uint8Array, streams: readonly string[]): Verdict {
  if (!isCompoundFile(bytes)) return "other";
  if (hasMacros(bytes)) return "macro";
  return streams.some((name) => hasEntry(bytes, name)) ? "fits" : "other";
}
