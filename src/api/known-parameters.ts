import * as z from "zod";
import type { Operation } from "#api/operations/operation.ts";
import { type FieldProblem, Problem } from "#shared/problem.ts";
import { nearestWord } from "#shared/text/nearest-word.ts";

/** Names that browsers, tag managers and proxies add on their own. */
const OTHERS = /^(?:_|utm_)/;
// Browsers call the booking pages, and add names of their own.
const LENIENT = "/schools/";
// Every list may be asked for a page of it; one that gives all rows at once ignores this.
const OF_EVERY_LIST = ["limit", "cursor"];

/** Whether the operation refuses query parameters that it does not know. */
export function refusesUnknown({ list, query, method, path }: Operation): boolean {
  return (list !== undefined || (method === "get" && query !== undefined)) && !path.startsWith(LENIENT);
}

/** Throws 422 `unknown_parameter` for a name that the read does not know: ignored, a mistyped filter would show too much. */
export function requireKnownParameters(operation: Operation, names: readonly string[]): void {
  const known = new Set([...Object.keys(operation.query?.shape ?? {}), ...ofEveryList(operation)]);
  const unknown = names.filter((name) => !known.has(name) && !OTHERS.test(name));
  const [first, ...others] = unknown.map((name) => unknownParameter(name, shownNames(operation)));
  if (first === undefined) return;
  const message = `${first.field} ${first.message}`;
  throw new Problem("unknown_parameter", { message, errors: [first, ...others] });
}

/** Whether the operation writes, and cannot only say what it would write. */
export function lacksDryRun({ method, query }: Operation): boolean {
  return method !== "get" && query?.shape.dry_run === undefined;
}

/** Throws 422 `unknown_parameter`: who asks a write for a dry run must not have it done. */
export function refuseDryRun(): never {
  const message = "is not a parameter of this operation, which always writes";
  const error = { field: "dry_run", code: "unknown_parameter", message };
  throw new Problem("unknown_parameter", { message: `${error.field} ${message}`, errors: [error] });
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
  const message = `is not a parameter of this operation: the nearest is ${nearestWord(name, known)}`;
  return { field: name, code: "unknown_parameter", message };
}
