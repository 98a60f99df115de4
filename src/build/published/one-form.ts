import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { deeply } from "./schema-walk.ts";

type Components = Readonly<Record<string, JsonSchema>>;
type Members = Readonly<Record<string, JsonSchema>>;

// Of what a call may send in several forms, the one that a program has at hand: forms of HTML send the texts.
const BEST: Readonly<Record<string, string>> = {
  "boolean string": "boolean",
  "number string": "number",
  "object string": "object",
  "array object string": "array",
  object: "object",
  string: "string",
};
const ID = /^\^\[1-9\]\[0-9\]/;

/** Whether a schema is of an id as text. */
export function isIdText({ pattern }: JsonSchema): boolean {
  return ID.test(String(pattern));
}

/**
 * The schema without unions, which few generators take: null is one more type, one form stands for several, records that
 * may come in one place are one record. Where no form serves, any value.
 */
export function oneForm(schema: JsonSchema, components: Components): JsonSchema {
  return deeply(schema, (one) => withoutUnion(withoutPart(one), components));
}

/** The only part of an `allOf` stands in the schema itself. */
function withoutPart({ allOf, ...schema }: JsonSchema): JsonSchema {
  const [part, ...others] = (allOf ?? []) as JsonSchema[];
  if (part === undefined || others.length > 0) return allOf === undefined ? schema : { ...schema, allOf };
  return { ...part, ...schema };
}

function withoutUnion({ anyOf, oneOf, ...schema }: JsonSchema, components: Components): JsonSchema {
  const forms = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (forms === undefined) return withoutTextBeside(schema);
  const others = forms.filter(({ type }) => type !== "null");
  const one = formOf(others.map((form) => resolved(form, components)));
  // What the place says of itself goes before what the form says.
  const united = others.length === 1 && others.length === forms.length ? others[0] : one;
  return withNull({ ...united, ...schema }, others.length < forms.length);
}

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref, ...others } = schema;
  const component = components[String($ref).split("/").at(-1) ?? ""];
  if (component === undefined) return schema;
  const { examples: _, ...members } = oneForm(component, components);
  return { ...members, ...others };
}

function formOf(forms: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = forms;
  if (others.length === 0) return first;
  const id = forms.find(isIdText);
  if (id !== undefined) return id;
  const types = [...new Set(forms.map(({ type }) => String(type)))].sort().join(" ");
  const best = forms.filter(({ type }) => type === BEST[types]);
  const [only = {}] = best;
  if (best.length < 2) return only;
  return BEST[types] === "object" ? best.reduce(merged) : { type: BEST[types] };
}

/** A record that is one or the other: it must have what both must have. */
function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const members = { ...(one.properties as Members) };
  for (const [name, member] of Object.entries(other.properties as Members))
    members[name] = name in members ? eitherOf(members[name] ?? {}, member) : member;
  const required = ((one.required ?? []) as string[]).filter((name) =>
    (other.required as string[] | undefined)?.includes(name),
  );
  return { type: "object", properties: members, required };
}

function eitherOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (isDeepStrictEqual(one, other)) return one;
  const { description = other.description } = one;
  const [type, otherType] = [one, other].map(typeOf);
  const values = [one, other].map(valuesOf);
  const both = values.every((some) => some.length > 0) ? { enum: [...new Set(values.flat())] } : {};
  return { description, ...(type === otherType && { type, ...both }) };
}

function typeOf(schema: JsonSchema): unknown {
  return "const" in schema ? typeof schema.const : schema.type;
}

function valuesOf(schema: JsonSchema): unknown[] {
  return (schema.enum as unknown[] | undefined) ?? ("const" in schema ? [schema.const] : []);
}

/** Of a list of types, without the text that forms send. */
function withoutTextBeside(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const plain = schema.type.filter((type) => type !== "null");
  if (plain.length < 2) return schema;
  const best = BEST[plain.toSorted().join(" ")];
  const { type: _, ...others } = schema;
  return best === undefined ? others : withNull({ ...others, type: best }, plain.length < schema.type.length);
}

function withNull(schema: JsonSchema, isNullable: boolean): JsonSchema {
  const { type, enum: values } = schema;
  if (!isNullable || type === undefined) return schema;
  const types = [type].flat();
  if (types.includes("null")) return schema;
  return { ...schema, type: [...types, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
