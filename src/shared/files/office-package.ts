import { hasMacros, isCompoundFile } from "./compound-file.ts";
import { type Entry, entriesInZip, unpack, unpackBeginning } from "./zip.ts";

/** What a file's bytes are: of the kind asked for, of another one, or with a macro in them. */
export type Verdict = "fits" | "other" | "macro";

/** A project of macros, or a document that may have one, by its name or by what the package says that a part is. */
const MACRO_NAME = /(?:vbaProject\.bin|\.(?:doc|xls|ppt)m)$/i;
const MACRO_TYPE = /macro|vba/i;
const TYPES = "[Content_Types].xml";
const RELATIONSHIPS = /\.rels$/i;
const MOST_TYPES = 1024 * 1024;
const MOST_OF_PART = 20 * 1024 * 1024;

/**
 * Judges an Office package, which is a ZIP file. Of its parts the list of types and the relationships are unpacked, and
 * what begins as a compound file does: a project of macros is one, whatever it is called.
 */
export async function judgePackage(bytes: Uint8Array<ArrayBuffer>, folder: string): Promise<Verdict> {
  const entries = entriesInZip(bytes);
  if (entries === undefined) return "other";
  if (entries.some(({ name }) => MACRO_NAME.test(name))) return "macro";
  // Names of parts are equal in any case, so a second list might be the one that is read.
  const [list, second] = entries.filter(({ name }) => name.toLowerCase() === TYPES.toLowerCase());
  if (list?.name !== TYPES || second !== undefined) return "other";
  for (const entry of [list, ...entries.filter((one) => one !== list)]) {
    const verdict = await judgePart(bytes, entry);
    if (verdict !== "fits") return verdict;
  }
  return entries.some(({ name }) => name.startsWith(folder)) ? "fits" : "other";
}

async function judgePart(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Verdict> {
  if (entry.name === TYPES || RELATIONSHIPS.test(entry.name)) {
    const types = typesIn(await unpack(bytes, entry, MOST_TYPES));
    if (types === undefined) return "other";
    return types.some((type) => MACRO_TYPE.test(type)) ? "macro" : "fits";
  }
  const beginning = await unpackBeginning(bytes, entry);
  if (beginning === undefined) return "other";
  if (!isCompoundFile(beginning)) return "fits";
  const whole = await unpack(bytes, entry, MOST_OF_PART);
  return whole === undefined || hasMacros(whole) ? "macro" : "fits";
}

/** What says of which type a part is: the list of types, or a relationship that leads to it. */
const TYPE = /\b(?:Content)?Type\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENCODING = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/;

/** The types that such a part gives; undefined where it has a document type of its own, or an encoding that XML need not have. */
function typesIn(list: Uint8Array | undefined): string[] | undefined {
  if (list === undefined) return undefined;
  const [first, second] = list;
  const big = first === 0xfe && second === 0xff;
  const little = first === 0xff && second === 0xfe;
  const text = new TextDecoder(big ? "utf-16be" : little ? "utf-16le" : "utf-8").decode(list);
  const encoding = ENCODING.exec(text)?.[1] ?? "utf-8";
  if (!/^(?:utf-?8|utf-?16|us-ascii)$/i.test(encoding) || /<!DOCTYPE|\0/i.test(text)) return undefined;
  return [...text.matchAll(TYPE)].map(([, double, single]) => resolved(double ?? single ?? ""));
}

/** A value with its characters for the numbers that may stand for them. */
function resolved(value: string): string {
  return value.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (whole, hex: string, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
