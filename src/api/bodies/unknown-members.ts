import * as z from "zod";
import type { Operation, Schema } from "#api/operations/operation.ts";
import type { FieldProblem } from "#shared/problem.ts";
import { changedLetters } from "#shared/text/nearest-word.ts";
import { quoted } from "#shared/text/quoted.ts";

/** What a body's schema has at one place: the members of an object, and what an array holds. */
type Known = { members: Map<string, Known>; items?: Known };
/** A member of a body that its schema does not have; `meant` is the one that was nearly written. */
export type UnknownMember = { field: string; name: string; meant?: string };

// A lead or an application that is lost is worse than one that lacks a field, and sites add fields of their own to forms.
const LENIENT = /^\/(schools|leads)\/|\/(leads|applications)(\/|$)|\/jobs\/:slug\/apply$/;
const ONE_LETTER_FROM = 5;
const TWO_LETTERS_FROM = 9;
// Of a body with more, the rest are counted alone: each comparison costs time.
const MOST_COMPARED = 200;
const MOST_SHOWN = 20;
const MOST_LETTERS = 80;
// Proxies and clients refuse replies whose headers are long.
const MOST_BYTES = 1_000;
const kept = new WeakMap<Schema, Known>();

/** The members of a body that its schema does not have, outside of objects whose members are free. */
export function unknownMembers({ body, result }: Operation, value: unknown): UnknownMember[] {
  if (body === undefined) return [];
  const found: UnknownMember[] = [];
  search(knownOf(body), value, "", found);
  // A client may send back a record that it has read.
  const read = found.length > 0 ? namesOf(knownOf(result)) : new Set<string>();
  return found.map(({ meant, ...member }) =>
    meant === undefined || read.has(member.name) ? member : { ...member, meant },
  );
}

/**
 * What is refused of them: members that are nearly a known one, for ignored they would change what is sold or sent, and a
 * dry run that is asked for at the wrong place. Where forms of others are taken, only this is.
 */
export function refusedMembers(
  { path, dryRun, takesNoOther }: Operation,
  members: readonly UnknownMember[],
): FieldProblem[] {
  const isLenient = LENIENT.test(path);
  const dryRunIs = dryRun ? "it belongs in the address, ?dry_run=true" : "the operation always writes";
  return members.flatMap(({ field, meant }) => {
    if (field === "dry_run") return [unknownMember(field, dryRunIs)];
    if (meant !== undefined && !isLenient) return [unknownMember(field, `the nearest is ${meant}`)];
    return takesNoOther ? [unknownMember(field, "this operation takes no other than those it has")] : [];
  });
}

/** What was ignored, as headers have it: percent-encoded, at most 20 and 1,000 bytes, then how many more. */
export function ignoredHeader(fields: readonly string[]): string {
  let bytes = 0;
  const shown = fields
    .slice(0, MOST_SHOWN)
    .map((field) => encoded(field.slice(0, MOST_LETTERS)))
    .filter((field) => {
      bytes += field.length + 2;
      return bytes <= MOST_BYTES;
    });
  const more = fields.length - shown.length;
  return [...shown, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

function unknownMember(field: string, help: string): FieldProblem {
  return { field, code: "unknown_member", message: `is not a member of this body: ${help}` };
}

function encoded(field: string): string {
  return encodeURIComponent(field.toWellFormed()).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function search(known: Known, value: unknown, path: string, found: UnknownMember[]): void {
  const { items, members } = known;
  if (Array.isArray(value)) {
    if (items === undefined) return;
    for (const [index, item] of value.entries()) search(items, item, `${path}[${index}]`, found);
    return;
  }
  if (typeof value !== "object" || value === null || members.size === 0) return;
  for (const [name, member] of Object.entries(value)) {
    const below = members.get(name);
    if (below !== undefined && (typeof member !== "object" || member === null)) continue;
    const field = `${path}${path === "" ? "" : "."}${quoted(name)}`;
    if (below !== undefined) search(below, member, field, found);
    else found.push({ field, name, ...(found.length < MOST_COMPARED ? meantBy(name, known) : {}) });
  }
}

function meantBy(name: string, { members }: Known): { meant?: string } {
  const meant = members.keys().find((member) => isNearly(name, member));
  return meant === undefined ? {} : { meant };
}

/** Whether only case and underscores differ, or one letter of a word of five letters on, two of nine. */
export function isNearly(name: string, member: string): boolean {
  const [written, word] = [plain(name), plain(member)];
  if (written === word) return true;
  const most = word.length >= TWO_LETTERS_FROM ? 2 : word.length >= ONE_LETTER_FROM ? 1 : 0;
  return Math.abs(written.length - word.length) <= most && changedLetters(written, word) <= most;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, "");
}

function namesOf(known: Known, names = new Set<string>(), seen = new Set<Known>()): Set<string> {
  if (seen.has(known)) return names;
  seen.add(known);
  for (const [name, below] of known.members) namesOf(below, names.add(name), seen);
  return known.items === undefined ? names : namesOf(known.items, names, seen);
}

function knownOf(schema: Schema): Known {
  const known = kept.get(schema) ?? { members: new Map() };
  if (!kept.has(schema)) {
    // Kept before it is filled, for a schema may hold itself.
    kept.set(schema, known);
    fill(known, schema);
  }
  return known;
}

function fill(known: Known, schema: Schema): void {
  if (schema instanceof z.ZodObject)
    for (const [name, member] of Object.entries(schema.shape)) known.members.set(name, knownOf(member));
  else if (schema instanceof z.ZodArray) known.items = knownOf(schema.element as Schema);
  else for (const part of partsOf(schema)) merge(known, knownOf(part));
  documented(known, z.globalRegistry.get(schema) as Documented | undefined);
}

type Documented = { properties?: object; items?: Documented; anyOf?: Documented[] };

/** Adds what the document alone says of a value: that of a schema which judges it later. */
function documented(known: Known, { properties = {}, items, anyOf = [] }: Documented = {}): void {
  for (const name of Object.keys(properties))
    if (!known.members.has(name)) known.members.set(name, { members: new Map() });
  if (items !== undefined) {
    known.items ??= { members: new Map() };
    documented(known.items, items);
  }
  for (const alternative of anyOf) documented(known, alternative);
}

/** The schemas that a value of this one is made of, or one of which it fits. */
function partsOf(schema: Schema): Schema[] {
  if (schema instanceof z.ZodUnion) return schema.options as Schema[];
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right] as Schema[];
  if (schema instanceof z.ZodLazy) return [schema.unwrap() as Schema];
  // What comes before a transformation is what the client writes.
  if (schema instanceof z.ZodPipe)
    return [(schema.in instanceof z.ZodTransform ? schema.out : schema.in) as Schema];
  return "innerType" in schema.def ? [schema.def.innerType as Schema] : [];
}

function merge(known: Known, other: Known): void {
  for (const [name, below] of other.members) {
    const own = known.members.get(name);
    if (own === undefined) known.members.set(name, below);
    else if (own !== below) known.members.set(name, joined(own, below));
  }
  if (other.items !== undefined)
    known.items = known.items === undefined ? other.items : joined(known.items, other.items);
}

function joined(one: Known, other: Known): Known {
  const both: Known = { members: new Map() };
  merge(both, one);
  merge(both, other);
  return both;
}
