import { latin } from "./zip.ts";

const MACROS = "_VBA_PROJECT";

/** Whether the bytes begin as Microsoft's compound file does. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return latin(bytes.subarray(0, 8)) === "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
}

/** Whether a compound file has a project of macros in it. */
export function hasMacros(bytes: Uint8Array): boolean {
  return hasEntry(bytes, MACROS);
}

const ENTRY_SIZE = 128;
const ENTRY_NAME_LENGTH = 64;
const ENTRY_TYPE = 66;
const STREAM = 2;

/** Whether a compound file has a stream of this name: a directory entry begins at a multiple of 128 bytes with it, in UTF-16. */
export function hasEntry(bytes: Uint8Array, name: string): boolean {
  // With the NUL that ends it.
  const wanted = [...`${name}\0`].map((character) => character.charCodeAt(0));
  for (let at = 0; at + ENTRY_SIZE <= bytes.length; at += ENTRY_SIZE) {
    if (bytes[at + ENTRY_NAME_LENGTH] !== wanted.length * 2 || bytes[at + ENTRY_TYPE] !== STREAM) continue;
    if (wanted.every((code, index) => bytes[at + 2 * index] === code && bytes[at + 2 * index + 1] === 0))
      return true;
  }
  return false;
}
