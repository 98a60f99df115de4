import { crc32, deflateRawSync } from "node:zlib";

// Small documents of each kind, built byte by byte, and what pretends to be one.

const OFFICE = { docx: "word/document.xml", xlsx: "xl/workbook.xml", pptx: "ppt/presentation.xml" };
const STREAMS = { doc: "WordDocument", xls: "Workbook", ppt: "PowerPoint Document" };

export type Kind = "pdf" | keyof typeof OFFICE | keyof typeof STREAMS;
export const KINDS: Kind[] = ["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx"];

/** A document of this kind; more names are added to what it contains. */
export function document(kind: Kind, ...more: string[]): Uint8Array<ArrayBuffer> {
  if (kind === "pdf") return pdf();
  if (kind in STREAMS) return compoundFile([STREAMS[kind as keyof typeof STREAMS], ...more]);
  const names = ["[Content_Types].xml", "_rels/.rels", OFFICE[kind as keyof typeof OFFICE], ...more];
  return zip(Object.fromEntries(names.map((name) => [name, `<${kind}/>`])));
}

/** A PDF that is at least `size` bytes long. */
export function pdf(size = 0, before = ""): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(
    `${before}%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
  );
  const bytes = new Uint8Array(Math.max(size, text.length));
  bytes.set(text);
  return bytes;
}

/** An Office package whose parts have these types besides those that any has; the list of them as `packed` makes it. */
export function typed(
  kind: keyof typeof OFFICE,
  parts: Record<string, string>,
  { list = listOf(kind, parts), method = 0 }: { list?: string | Uint8Array; method?: number } = {},
): Uint8Array<ArrayBuffer> {
  const rest = [OFFICE[kind], ...Object.keys(parts)].map((name) => [name, "x"]);
  return zip({ "[Content_Types].xml": list, ...Object.fromEntries(rest) }, "", method);
}

/** The list of a package's types, each part's own after the defaults. */
export function listOf(kind: keyof typeof OFFICE, parts: Record<string, string>): string {
  const main = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  const overrides = Object.entries({ [OFFICE[kind]]: main, ...parts }).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join("")}</Types>`;
}

/** A ZIP file of these contents, stored as they are or deflated (`method` 8); `comment` stands behind its directory. */
export function zip(
  files: Record<string, string | Uint8Array>,
  comment = "",
  method = 0,
): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const unpacked = Buffer.from(text);
    const content = method === 8 ? deflateRawSync(unpacked) : unpacked;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc32(unpacked), 14);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(unpacked.length, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    local.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), content);
    entries.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + content.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return new Uint8Array(Buffer.concat([...locals, directory, end, Buffer.from(comment)]));
}

const FREE = 0xffffffff;
const END_OF_CHAIN = 0xfffffffe;
const SECTOR = 512;

/** Microsoft's compound file with empty streams of these names: header, one sector of FAT, then the directory. */
export function compoundFile(streams: string[]): Uint8Array<ArrayBuffer> {
  const sectors = Math.ceil((streams.length + 1) / 4);
  const file = Buffer.alloc(SECTOR * (2 + sectors));
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
  file.writeUInt16LE(0x3e, 24);
  file.writeUInt16LE(3, 26);
  file.writeUInt16LE(0xfffe, 28);
  file.writeUInt16LE(9, 30);
  file.writeUInt16LE(6, 32);
  file.writeUInt32LE(1, 44);
  file.writeUInt32LE(1, 48);
  file.writeUInt32LE(4096, 56);
  file.writeUInt32LE(END_OF_CHAIN, 60);
  file.writeUInt32LE(END_OF_CHAIN, 68);
  file.fill(0xff, 80, SECTOR);
  file.fill(0xff, SECTOR, 2 * SECTOR);
  file.writeUInt32LE(0xfffffffd, SECTOR);
  for (let sector = 1; sector <= sectors; sector += 1)
    file.writeUInt32LE(sector === sectors ? END_OF_CHAIN : sector + 1, SECTOR + 4 * sector);
  for (const [index, name] of ["Root Entry", ...streams].entries()) {
    const at = 2 * SECTOR + 128 * index;
    file.write(name, at, "utf16le");
    file.writeUInt16LE(2 * (name.length + 1), at + 64);
    file.writeUInt8(index === 0 ? 5 : 2, at + 66);
    for (const link of [68, 72, 76]) file.writeUInt32LE(FREE, at + link);
    file.writeUInt32LE(END_OF_CHAIN, at + 116);
  }
  return new Uint8Array(file);
}
