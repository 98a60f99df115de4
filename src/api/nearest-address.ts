import { changedLetters, likelyWord } from "#shared/text/nearest-word.ts";

type Route = { method: string; path: string };

const BASE = /^\/(?:api\/)?v\d+(?=\/|$)/;
// An address may be longer than any of ours, and each comparison costs time.
const MOST_SEGMENTS = 10;
const MOST_LETTERS = 40;

// What the parts of two addresses cost that differ: a whole word is 1.
const FITS_PARAMETER = 0.1;
const PARAMETER_LEFT_OUT = 0.6;
const OTHER_METHOD = 0.05;
// From which on two addresses are not alike.
const MOST = 2;
const MOST_OF_WORD = 0.75;

/** The area of the API that an unknown address may mean, by the word of it that is most like an area's name. */
export function nearestArea(path: string, names: readonly string[]): string | undefined {
  const words = segmentsOf(path);
  const exact = words.find((word) => names.includes(word));
  if (exact !== undefined) return exact;
  for (const word of words) {
    const name = likelyWord(word, names);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The address that is most like the unknown one, with `{name}` for each parameter; undefined where none is near. */
export function nearestAddress({ method, path }: Route, routes: readonly Route[]): string | undefined {
  const given = segmentsOf(path.replace(BASE, ""));
  const seen = new Map<string, number>();
  const most = Math.min(MOST, given.length * MOST_OF_WORD);
  let nearest: { path: string; cost: number } | undefined;
  for (const route of routes) {
    if (route.path.includes("*") || route.path.startsWith("/api/")) continue;
    const differs = distance(given, segmentsOf(route.path.replace(BASE, "")), seen);
    const cost = differs + (route.method === method ? 0 : OTHER_METHOD);
    if (cost < (nearest?.cost ?? most)) nearest = { path: route.path, cost };
  }
  return nearest?.path.replaceAll(/:(\w+)/g, "{$1}");
}

function segmentsOf(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.slice(0, MOST_SEGMENTS).map((segment) => segment.slice(0, MOST_LETTERS));
}

/** What must be put in, taken out or replaced to make one address the other, a word's letters counting as parts of it. */
function distance(given: readonly string[], route: readonly string[], seen: Map<string, number>): number {
  let row = [0];
  for (const part of route) row.push((row.at(-1) ?? 0) + leftOut(part));
  for (const segment of given) {
    const next = [(row[0] ?? 0) + 1];
    for (const [index, part] of route.entries()) {
      const replaced = (row[index] ?? 0) + difference(segment, part, seen);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + leftOut(part)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function leftOut(part: string): number {
  return part.startsWith(":") ? PARAMETER_LEFT_OUT : 1;
}

function difference(segment: string, part: string, seen: Map<string, number>): number {
  if (part.startsWith(":")) return FITS_PARAMETER;
  const key = `${segment}/${part}`;
  const known = seen.get(key);
  if (known !== undefined) return known;
  const longer = Math.max(segment.length, part.length);
  const changed = changedLetters(segment.toLowerCase(), part) / longer;
  // Words that share less than half of their letters are two words.
  const differs = changed > 0.5 ? 1 : changed;
  seen.set(key, differs);
  return differs;
}
