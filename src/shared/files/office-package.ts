import { hasMacros, isCompoundFile } from "./compound-file.ts";
import { type Allowance, type Entry, entriesInZip, pause, unpack, unpackBeginning } from "./zip.ts";

/** What a file's bytes are: of the kind asked for, of another one, with a macro in them, or of one that loads others. */
export type Verdict = "fits" | "other" | "macro" | "external";

/** A project of macros, or a document that may have one, by its name or by what the package says that a part is. */
const MACRO_NAME = /(?:vbaProject\.bin|\.(?:doc|xls|ppt)m)$/i;
const MACRO_TYPE = /macro|vba/i;
const TYPES = "[Content_Types].xml";
const RELATIONSHIPS = /\.rels$/i;
const MOST_TYPES = 1024 * 1024;
const MOST_OF_PART = 20 * 1024 * 1024;
const MOST_OF_ALL = 40 * 1024 * 1024;
const MOST_OPAQUE = 500;
const MOST_MS = 5_000;
// A few milliseconds of work are followed by a longer rest: the isolate has other companies' calls.
const READ_AT_ONCE = 20;
const REST_MS = 6;

/**
 * Judges an Office package, which is a ZIP file. Of its parts the list of types and the relationships are unpacked, and
 * what begins as a compound file does: a project of macros is one, whatever it is called. What the package says is an
 * image or XML is left out, unless a relationship leads to it as to an object.
 */
export async function judgePackage(bytes: Uint8Array<ArrayBuffer>, folder: string): Promise<Verdict> {
  const entries = entriesInZip(bytes);
  if (entries === undefined) return "other";
  if (entries.some(({ name }) => MACRO_NAME.test(name))) return "macro";
  // Names of parts are equal in any case, so a second list might be the one that is read.
  const [list, second] = entries.filter(({ name }) => name.toLowerCase() === TYPES.toLowerCase());
  if (list?.name !== TYPES || second !== undefined) return "other";
  if (!entries.some(({ name }) => name.startsWith(folder))) return "other";
  const allowance = { bytes: MOST_OF_ALL, deadline: AbortSignal.timeout(MOST_MS) };
  const elements: Attributes[] = [];
  for (const [index, entry] of [list, ...entries.filter(({ name }) => RELATIONSHIPS.test(name))].entries()) {
    const text = (await isOver(index, allowance))
      ? undefined
      : textOf(await unpack(bytes, entry, MOST_TYPES, allowance));
    if (text === undefined) return "other";
    if (typesIn(text).some((type) => MACRO_TYPE.test(type))) return "macro";
    elements.push(...elementsIn(text));
  }
  if (elements.some(isLoaded)) return "external";
  const opaque = opaqueParts(entries, elements);
  if (opaque.length > MOST_OPAQUE) return "other";
  for (const [index, entry] of opaque.entries()) {
    const verdict = (await isOver(index, allowance)) ? "other" : await judgePart(bytes, entry, allowance);
    if (verdict !== "fits") return verdict;
  }
  return "fits";
}

/** Rests before every twentieth part; true once the time is over. */
async function isOver(index: number, { deadline }: Allowance): Promise<boolean> {
  if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await pause(REST_MS);
  return deadline.aborted;
}

async function judgePart(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Entry,
  allowance: Allowance,
): Promise<Verdict> {
  const beginning = await unpackBeginning(bytes, entry);
  if (beginning === undefined) return "other";
  if (!isCompoundFile(beginning)) return "fits";
  const whole = await unpack(bytes, entry, MOST_OF_PART, allowance);
  return whole === undefined || hasMacros(whole) ? "macro" : "fits";
}

/** The attributes of an element that says of which type a part is, or what a relationship leads to. */
type Attributes = Partial<
  Record<"ContentType" | "PartName" | "Extension" | "Type" | "Target" | "TargetMode", string>
>;

// What a reader follows by a click, and other workbooks, which Excel asks about.
const FOLLOWED = /\/(?:hyperlink|externalLinkPath|xlPathMissing)$/i;
// Word notes the template on its author's own disk.
const OWN_TEMPLATE = /\/attachedTemplate file:\/\/\/[a-z]:[\\/]/i;
const PLAIN_TYPE = /^(?:image|audio|video)\/|[+/]xml$/i;
const OBJECT = /oleObject|package|control/i;

/** Whether a relationship lets a document load something from elsewhere as it is opened. */
function isLoaded({ Type = "", Target = "", TargetMode = "" }: Attributes): boolean {
  if (TargetMode.trim().toLowerCase() !== "external" || FOLLOWED.test(Type)) return false;
  return !OWN_TEMPLATE.test(`${Type} ${Target}`);
}

/** The parts that may be a compound file: of another type than an image or XML, or objects by a relationship. */
function opaqueParts(entries: readonly Entry[], elements: readonly Attributes[]): Entry[] {
  const [plain, opaque] = [new Set<string>(), new Set<string>()];
  for (const { ContentType, PartName, Extension, Type = "", Target = "" } of elements) {
    const named = PartName ?? `.${Extension}`;
    if (ContentType !== undefined) (PLAIN_TYPE.test(ContentType) ? plain : opaque).add(named.toLowerCase());
    if (OBJECT.test(Type)) opaque.add(lastOf(Target, "/"));
  }
  return entries.filter(({ name }) => {
    if (name === TYPES || RELATIONSHIPS.test(name)) return false;
    const part = `/${name.toLowerCase()}`;
    const isPlain = (key: string) => plain.has(key) && !opaque.has(key);
    return (
      opaque.has(lastOf(name, "/")) ||
      opaque.has(part) ||
      !(isPlain(part) || isPlain(`.${lastOf(part, ".")}`))
    );
  });
}

function lastOf(path: string, separator: string): string {
  return path.toLowerCase().split(separator).at(-1) ?? "";
}

const ENCODING = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/;

/** The text of such a part; undefined where it has a document type of its own, or an encoding that XML need not have. */
function textOf(list: Uint8Array | undefined): string | undefined {
  if (list === undefined) return undefined;
  const [first, second] = list;
  const big = first === 0xfe && second === 0xff;
  const little = first === 0xff && second === 0xfe;
  const text = new TextDecoder(big ? "utf-16be" : little ? "utf-16le" : "utf-8").decode(list);
  const encoding = ENCODING.exec(text)?.[1] ?? "utf-8";
  return !/^(?:utf-?8|utf-?16|us-ascii)$/i.test(encoding) || /<!DOCTYPE|\0/i.test(text) ? undefined : text;
}

/** What says of which type a part is: the list of types, or a relationship that leads to it. */
const TYPE = /\b(?:Content)?Type\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function typesIn(text: string): string[] {
  return [...text.matchAll(TYPE)].map(([, double, single]) => resolved(double ?? single ?? ""));
}

const ELEMENT = /<[^\s<>"'/!?]+((?:[^"'<>]|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function elementsIn(text: string): Attributes[] {
  return [...text.matchAll(ELEMENT)].map(([, attributes = ""]) =>
    Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [
        name,
        resolved(double ?? single ?? ""),
      ]),
    ),
  );
}

/** A value with its characters for the numbers that may stand for them. */
function resolved(value: string): string {
  return value.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (whole, hex: string, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
