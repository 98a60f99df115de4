import type { JsonSchema } from "#api/openapi/schemas.ts";

type Json = { readonly [name: string]: unknown };
type Change = (schema: JsonSchema, name: string) => JsonSchema;

const SAMPLES = new Set(["example", "examples"]);

/** A part of a document with every outermost schema in it changed; `name` is the component's, or empty. */
export function withSchemas<Part>(part: Part, change: Change): Part {
  if (Array.isArray(part)) return part.map((one) => withSchemas(one, change)) as Part;
  if (typeof part !== "object" || part === null) return part;
  return mapValues(part as Json, (value, name) => {
    if (SAMPLES.has(name)) return value;
    if (name === "schema") return change(value as JsonSchema, "");
    return name === "schemas"
      ? mapValues(value as Json, (one, component) => change(one as JsonSchema, component))
      : withSchemas(value, change);
  }) as Part;
}

/** A schema that is changed from the inside out: its members, its items, its alternatives, itself. */
export function deeply(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return change(insideOf(schema, (inner) => deeply(inner, change)));
}

/** The schema with each schema that stands in it changed; `name` is a member's, `*` for items and values, else empty. */
export function insideOf(schema: JsonSchema, change: Change): JsonSchema {
  const changed = mapValues(schema, (value, keyword) => {
    if (keyword === "properties")
      return mapValues(value as Json, (one, name) => change(one as JsonSchema, name));
    if (Array.isArray(value) && /^(?:any|one|all)Of$/.test(keyword))
      return value.map((one) => change(one, ""));
    const isSchema = /^(?:items|additionalProperties)$/.test(keyword) && typeof value === "object";
    return isSchema ? change(value as JsonSchema, "*") : value;
  });
  return changed as JsonSchema;
}

/** The object with each value changed; a value that becomes undefined is left out. */
export function mapValues<Value>(
  object: { readonly [name: string]: Value },
  change: (value: Value, name: string) => unknown,
): Json {
  const changed = Object.entries(object).map(([name, value]) => [name, change(value, name)] as const);
  return Object.fromEntries(changed.filter(([, value]) => value !== undefined));
}
