import type { JsonSchema } from "#api/openapi/schemas.ts";
import { deeply } from "./schema-walk.ts";

const INT32 = 2 ** 31;

/** The schema with each value in the words that all generators know: numbers with their size, one value as a list of one. */
export function plainValues(schema: JsonSchema): JsonSchema {
  return deeply(schema, (one) => sized(listed(withoutEmpty(one))));
}

/** Without a default of null, and what says nothing of a map. A form has no members but those that it names. */
function withoutEmpty({ propertyNames: _, ...schema }: JsonSchema): JsonSchema {
  const { additionalProperties, default: usual, ...others } = schema;
  const members = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>);
  const isClosed = additionalProperties === undefined || members.some(({ format }) => format === "binary");
  return {
    ...others,
    ...(usual === undefined || usual === null ? {} : { default: usual }),
    ...(isClosed ? {} : { additionalProperties: isEmpty(additionalProperties) || additionalProperties }),
  };
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === "object" && Object.keys(Object(schema)).length === 0;
}

/** `const` is of 3.1, and a list of one truth value compiles in few languages. */
function listed(schema: JsonSchema): JsonSchema {
  // What is always null today may be a text tomorrow. A file that is null is none.
  if (schema.type === "null") return { ...schema, type: ["string", "null"] };
  if (schema.format === "binary") return { ...schema, type: "string" };
  if (!("const" in schema)) return schema;
  const { const: value, ...others } = schema;
  return { ...others, type: typeof value, ...(typeof value === "boolean" ? {} : { enum: [value] }) };
}

/** Without a format Go has float32 for a number, which holds no amount, and Java an int that holds no id. */
function sized(schema: JsonSchema): JsonSchema {
  const types = [schema.type].flat();
  if (schema.format !== undefined) return schema;
  if (types.includes("integer")) return { ...schema, format: isSmall(schema) ? "int32" : "int64" };
  if (!types.includes("number")) return schema;
  const values = (schema.enum ?? []) as number[];
  const isWhole = values.length > 0 && values.every((value) => Number.isInteger(value));
  return isWhole ? { ...schema, type: "integer", format: "int32" } : { ...schema, format: "double" };
}

function isSmall({ minimum, exclusiveMinimum, maximum }: JsonSchema): boolean {
  const least = minimum ?? exclusiveMinimum;
  return typeof least === "number" && least >= -INT32 && typeof maximum === "number" && maximum < INT32;
}
