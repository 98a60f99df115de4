import { Upload } from "#shared/files/upload.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";

/** One part of a form: a text, or a file where the part has a file name. */
export type Part = { name: string; value: string | Upload };

const MOST_PARTS = 64;
const MOST_HEADER_BYTES = 8 * 1024;
const HEADERS_END = encode("\r\n\r\n");

/**
 * The parts of a multipart/form-data body (RFC 7578). Files are views into `body`: the runtime's own `formData()` holds
 * a body three times over, and uploads share the memory of one isolate. Throws 422 for a body that is no form.
 */
export function parseMultipart(body: Uint8Array<ArrayBuffer>, boundary: string): Part[] {
  const delimiter = encode(`\r\n--${boundary}`);
  const parts: Part[] = [];
  // The first delimiter may stand at the very beginning, without the line end before it.
  let at = startsWith(body, delimiter.subarray(2), 0) ? delimiter.length - 2 : after(body, delimiter, 0);
  while (!startsWith(body, encode("--"), at)) {
    if (!startsWith(body, encode("\r\n"), at)) throw malformed("a boundary is followed by something else");
    const headersEnd = indexOf(body, HEADERS_END, at);
    if (headersEnd < 0 || headersEnd - at > MOST_HEADER_BYTES) throw malformed("a part has no headers");
    const start = headersEnd + HEADERS_END.length;
    // A part without content ends with the line end of its headers.
    const end = indexOf(body, delimiter, start - 2);
    if (end < 0) throw malformed("its last boundary is missing");
    if (parts.length === MOST_PARTS) throw malformed(`it has more than ${MOST_PARTS} parts`);
    parts.push(partOf(decode(body.subarray(at + 2, headersEnd)), body.subarray(start, Math.max(start, end))));
    at = end + delimiter.length;
  }
  return parts;
}

/** The 422 of a body that is no form. */
export function malformed(reason: string): Problem {
  return fieldProblem("", "invalid_multipart", `The body is not valid multipart/form-data: ${reason}`);
}

function partOf(headers: string, content: Uint8Array<ArrayBuffer>): Part {
  const disposition = /(?:^|\r\n)content-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/i.exec(headers)?.[1];
  const name = disposition === undefined ? undefined : parameter(disposition, "name");
  if (disposition === undefined || name === undefined || headers.includes("\0"))
    throw malformed("a part has no name");
  // Where both are there the extended one counts, as RFC 6266 (section 4.3) has it.
  const filename = extended(disposition) ?? parameter(disposition, "filename");
  if (filename === undefined) return { name, value: decode(content) };
  return { name, value: new Upload(encodedWords(filename), content) };
}

const PARAMETER = /;[ \t]*([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;

/** A parameter's value, plain or quoted. Browsers write a quote in it as %22, others put a backslash before it. */
function parameter(disposition: string, wanted: string): string | undefined {
  for (const [, name = "", quoted, plain] of disposition.matchAll(PARAMETER))
    if (name.toLowerCase() === wanted)
      return quoted?.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"') ?? plain;
  return undefined;
}

const ENCODED_WORD = /=\?utf-8\?(?:(b)\?([a-z0-9+/=]*)|q\?([^?\s]*))\?=(?:\s+(?==\?))?/gi;

/** A name with its encoded words (RFC 2047) read, as .NET writes names beyond ASCII. */
function encodedWords(name: string): string {
  return name.replace(ENCODED_WORD, (word, base64: string | undefined, letters = "", quoted = "") => {
    try {
      const text: string = base64
        ? atob(letters)
        : quoted.replaceAll("_", " ").replace(/=([\da-f]{2})/gi, byteOf);
      return decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    } catch {
      return word;
    }
  });
}

function byteOf(_: string, hexadecimal: string): string {
  return String.fromCharCode(Number.parseInt(hexadecimal, 16));
}

/** `filename*=UTF-8''...`, which RFC 7578 forbids and some clients send for a name that is not ASCII. */
function extended(disposition: string): string | undefined {
  const encoded = /;[ \t]*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    throw malformed("a file's name cannot be read");
  }
}

function after(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  const found = indexOf(bytes, sought, from);
  if (found < 0) throw malformed("its boundary is missing");
  return found + sought.length;
}

/** By Boyer, Moore and Horspool: a body of near matches costs no more than any other. */
function indexOf(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  const last = sought.length - 1;
  const steps = new Uint8Array(256).fill(sought.length);
  for (const [index, byte] of sought.subarray(0, last).entries()) steps[byte] = last - index;
  for (let at = from; at + last < bytes.length; at += steps[bytes[at + last] ?? 0] ?? 1)
    if (startsWith(bytes, sought, at)) return at;
  return -1;
}

function startsWith(bytes: Uint8Array, sought: Uint8Array, at: number): boolean {
  for (let index = 0; index < sought.length; index += 1)
    if (bytes[at + index] !== sought[index]) return false;
  return true;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed("a text in it is not UTF-8");
  }
}
