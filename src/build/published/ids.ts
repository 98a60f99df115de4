import type { JsonSchema } from "#api/openapi/schemas.ts";
import { isIdText } from "./one-form.ts";
import { mapValues } from "./schema-walk.ts";

type Components = Readonly<Record<string, JsonSchema>>;
type Members = Readonly<Record<string, JsonSchema>>;

/** The records, in which an id that answers give as a number only is sent as one; any other as text. */
export function idsAsAnswered(records: Components): Components {
  const members = Object.values(records).flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Members),
  );
  const answered = Map.groupBy(
    members.filter(([, member]) => !isIdText(member)),
    ([name]) => name,
  );
  const isNumber = (name: string) =>
    answered.get(name)?.every(([, { type }]) => [type].flat().includes("integer")) === true;
  const asAnswered = (member: JsonSchema, name: string) => {
    if (!(isIdText(member) && isNumber(name))) return member;
    const { pattern: _, type, ...others } = member;
    return { ...others, type: Array.isArray(type) ? ["integer", "null"] : "integer", format: "int64" };
  };
  return mapValues(records, ({ properties, ...schema }) => ({
    ...schema,
    ...(properties !== undefined && { properties: mapValues(properties as Members, asAnswered) }),
  })) as Components;
}
