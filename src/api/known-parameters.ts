import * as z from "zod";
import type { Operation } from "#api/operations/operation.ts";
import { type FieldProblem, fieldProblem, MOST_ERRORS, Problem } from "#shared/problem.ts";
import { likelyWord } from "#shared/text/nearest-word.ts";
import { quoted } from "#shared/text/quoted.ts";
import { ignoredHeader, isNearly } from "./bodies/unknown-members.ts";

/** Names that browsers, tag managers and proxies add on their own. */
const OTHERS = /^(?:_(?!_proto__$)|utm_)/;
// Browsers call the booking pages, and add names of their own.
const LENIENT = "/schools/";
const DRY_RUN = "dry_run";
/** What a write must not be done without: a trial would be the deed, and a reversal of today is final. */
const NOT_TO_MISS = [DRY_RUN, "reversal_date"];
// Every list may be asked for a page of it; one that gives all rows at once ignores this.
const OF_EVERY_LIST = ["limit", "cursor"];

/** The names in an address's query, each once; of an object of them `__proto__` would be missing. */
export function parameterNames(url: string): string[] {
  return url.includes("?") ? [...new Set(new URL(url).searchParams.keys())] : [];
}

/** Whether the operation refuses query parameters that it does not know. */
export function refusesUnknown({ list, query, method, path }: Operation): boolean {
  return (list !== undefined || (method === "get" && query !== undefined)) && !path.startsWith(LENIENT);
}

/** Throws 422 `unknown_parameter` for a name that the read does not know: ignored, a mistyped filter would show too much. */
export function requireKnownParameters(operation: Operation, names: readonly string[]): void {
  const unknown = unknownTo(operation, names);
  const known = shownNames(operation);
  const [first, ...others] = unknown.slice(0, MOST_ERRORS).map((name) => unknownParameter(name, known));
  if (first === undefined) return;
  const message = `${first.field} ${first.message}`;
  throw new Problem("unknown_parameter", { message, errors: [first, ...others], errorCount: unknown.length });
}

/**
 * Throws 422 `unknown_parameter` where a write is asked for a dry run that it does not have, or by a name that is nearly
 * `dry_run` or `reversal_date`, or has it in itself, as `dry_run[]`.
 */
export function refuseMissed({ query }: Operation, names: readonly string[]): void {
  for (const wanted of NOT_TO_MISS) {
    const isTaken = query?.shape[wanted] !== undefined;
    const meant = names.find((name) => means(name, wanted) && !(isTaken && name === wanted));
    if (meant === undefined || !(isTaken || wanted === DRY_RUN)) continue;
    const message = isTaken
      ? `is not a parameter of this operation: the nearest is ${wanted}`
      : "is not a parameter of this operation, which always writes";
    throw fieldProblem(quoted(meant), "unknown_parameter", message, "unknown_parameter");
  }
}

function means(name: string, wanted: string): boolean {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  return isNearly(name, wanted) || letters(name).includes(letters(wanted));
}

/** The parameters that the operation does not know and ignores, as the header X-Ignored-Parameters has them; undefined without any. */
export function ignoredParameters(operation: Operation, names: readonly string[]): string | undefined {
  const ignored = unknownTo(operation, names);
  return ignored.length === 0 ? undefined : ignoredHeader(ignored);
}

function unknownTo(operation: Operation, names: readonly string[]): string[] {
  const known = new Set([...Object.keys(operation.query?.shape ?? {}), ...ofEveryList(operation)]);
  return names.filter((name) => !known.has(name) && !OTHERS.test(name));
}

function ofEveryList({ list }: Operation): string[] {
  return list === undefined ? [] : OF_EVERY_LIST;
}

function shownNames(operation: Operation): string[] {
  const { query } = operation;
  const members = Object.entries(query?.shape ?? {});
  const shown = members.filter(([, schema]) => z.globalRegistry.get(schema)?.["x-hidden"] !== true);
  return [...new Set([...shown.map(([name]) => name), ...ofEveryList(operation)])];
}

function unknownParameter(name: string, known: readonly string[]): FieldProblem {
  const meant = likelyWord(name, known);
  const help = meant === undefined ? `it has ${known.join(", ")}` : `the nearest is ${meant}`;
  const message = `is not a parameter of this operation: ${help}`;
  return { field: quoted(name), code: "unknown_parameter", message };
}
