import type { JsonSchema } from "./schemas.ts";

type Members = { name: string; members: Readonly<Record<string, JsonSchema>>; required: readonly string[] };

// Below this a second copy is shorter to read than a reference.
const FEWEST_MEMBERS = 6;

/** The components, where a record with all members of another one refers to that and adds its own. */
export function extended(components: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const records = Object.entries(components).flatMap(([name, schema]) => recordOf(name, schema));
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const record = records.find((one) => one.name === name);
      const base = record === undefined ? undefined : baseOf(record, records);
      return [name, record === undefined || base === undefined ? schema : asExtension(schema, record, base)];
    }),
  );
}

function recordOf(name: string, { type, properties, required = [] }: JsonSchema): Members[] {
  if (type !== "object" || properties === undefined || /(?:Body|Form)$/.test(name)) return [];
  return [{ name, members: properties as Members["members"], required: required as string[] }];
}

/** The largest of the records whose every member the record has too, equal to the last word. */
function baseOf(record: Members, records: readonly Members[]): Members | undefined {
  const count = ({ members }: Members) => Object.keys(members).length;
  return records
    .filter((one) => count(one) >= FEWEST_MEMBERS && count(one) < count(record) && isPartOf(one, record))
    .sort((one, other) => count(other) - count(one))[0];
}

function isPartOf(base: Members, record: Members): boolean {
  return Object.entries(base.members).every(
    ([name, member]) =>
      JSON.stringify(member) === JSON.stringify(record.members[name]) &&
      base.required.includes(name) === record.required.includes(name),
  );
}

function asExtension(schema: JsonSchema, record: Members, base: Members): JsonSchema {
  const { type: _object, properties: _members, required: _required, ...others } = schema;
  const isOwn = (name: string) => !(name in base.members);
  const own = Object.entries(record.members).filter(([name]) => isOwn(name));
  const required = record.required.filter(isOwn);
  return {
    ...others,
    allOf: [
      { $ref: `#/components/schemas/${base.name}` },
      {
        type: "object",
        properties: Object.fromEntries(own),
        ...(required.length === 0 ? {} : { required }),
      },
    ],
  };
}
