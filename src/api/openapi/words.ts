import { FIELD_WORDS, OWN_WORDS } from "./field-words.ts";
import type { JsonSchema } from "./schemas.ts";
import { MEMBERS_A_TO_I } from "./words/members-a-to-i.ts";
import { MEMBERS_J_TO_Z } from "./words/members-j-to-z.ts";
import { OF_HOLDERS } from "./words/of-holders.ts";
import { OF_RECORDS } from "./words/of-records.ts";

const REPLY_WORDS: Readonly<Record<string, string>> = {
  ...FIELD_WORDS,
  ...MEMBERS_A_TO_I,
  ...MEMBERS_J_TO_Z,
};
const PLACE_WORDS: Readonly<Record<string, string>> = { ...OF_RECORDS, ...OF_HOLDERS };
const NESTED = ["anyOf", "oneOf", "allOf"] as const;

/** What a parameter or field of an operation means, where its schema does not say so itself. */
export function wordsOf(operationId: string, name: string): string | undefined {
  return OWN_WORDS[`${operationId} ${name}`] ?? FIELD_WORDS[name];
}

/** A request's schema whose every member says what it means. */
export function described(operationId: string, schema: JsonSchema): JsonSchema {
  return withWords(schema, operationId, (_place, name) => wordsOf(operationId, name));
}

/** A component whose every member says what it means. */
export function describedRecord(component: string, schema: JsonSchema): JsonSchema {
  return withWords(schema, component, (place, name) => PLACE_WORDS[`${place} ${name}`] ?? REPLY_WORDS[name]);
}

type Words = (place: string, name: string) => string | undefined;

/** `place` is the member that holds the schema, or the component. */
function withWords(schema: JsonSchema, place: string, words: Words): JsonSchema {
  const inner = (one: unknown) => withWords(one as JsonSchema, place, words);
  const members = Object.entries(Object(schema.properties)).map(([name, member]) => [
    name,
    { description: words(place, name), ...withWords(member as JsonSchema, name, words) },
  ]);
  const nested = NESTED.flatMap((word) =>
    Array.isArray(schema[word]) ? [[word, schema[word].map(inner)]] : [],
  );
  const values = ["items", "additionalProperties"].flatMap((word) =>
    typeof schema[word] === "object" && schema[word] !== null ? [[word, inner(schema[word])]] : [],
  );
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...Object.fromEntries([...values, ...nested]),
  };
}
