import { FIELD_WORDS, OWN_WORDS } from "./field-words.ts";
import type { JsonSchema } from "./schemas.ts";

const NESTED = ["anyOf", "oneOf", "allOf"] as const;

/** What a parameter or field of an operation means, where its schema does not say so itself. */
export function wordsOf(operationId: string, name: string): string | undefined {
  return OWN_WORDS[`${operationId} ${name}`] ?? FIELD_WORDS[name];
}

/** A request's schema whose every member says what it means. */
export function described(operationId: string, schema: JsonSchema): JsonSchema {
  const inner = (one: unknown) => described(operationId, one as JsonSchema);
  const members = Object.entries(Object(schema.properties)).map(([name, member]) => [
    name,
    { description: wordsOf(operationId, name), ...inner(member) },
  ]);
  const nested = NESTED.flatMap((word) =>
    Array.isArray(schema[word]) ? [[word, schema[word].map(inner)]] : [],
  );
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(typeof schema.items === "object" && schema.items !== null ? { items: inner(schema.items) } : {}),
    ...Object.fromEntries(nested),
  };
}
