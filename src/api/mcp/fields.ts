import { CallMistake } from "./call.ts";

/** A JSON Schema of the API document. */
export type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Schemas = Readonly<Record<string, Schema>>;
/** The replies of an operation by status, as their description has them. */
export type Replies = {
  replies: Readonly<Record<string, { "application/json"?: { schema: Schema } } | undefined>>;
  components: { schemas?: Schemas };
};
/** Names, each with the names that are picked of what it holds: none where it is picked whole. */
type Picked = Map<string, Picked>;

/** The members of what an operation answers: of its `data`, where it has that. */
export function answerMembers({ replies, components: { schemas = {} } }: Replies): Record<string, Schema> {
  const anyOf = Object.values(replies).map((reply) => reply?.["application/json"]?.schema ?? {});
  const { data, success: _, ...flat } = membersOf({ anyOf }, schemas);
  return data === undefined ? flat : membersOf(data, schemas);
}

/** The members of an object, or of each in a list, of all that it may be. */
function membersOf(schema: Schema, schemas: Schemas): Record<string, Schema> {
  const { $ref = "", properties = {}, items, anyOf = [], oneOf = [] } = schema;
  const named = schemas[$ref.split("/").at(-1) ?? ""];
  const parts = [named, items, ...anyOf, ...oneOf].filter((part) => part !== undefined);
  return Object.assign({}, properties, ...parts.map((part) => membersOf(part, schemas)));
}

/** The fields as a tree. Throws `CallMistake` for one that the answer cannot have. */
export function pickedOf(fields: readonly string[], described: Replies): Picked {
  const { schemas = {} } = described.components;
  const picked: Picked = new Map();
  for (const field of fields) {
    let at = picked;
    let members = answerMembers(described);
    for (const name of field.split(".")) {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      const others = Object.keys(members).join(", ") || "nothing that can be picked";
      if (member === undefined)
        throw new CallMistake(
          `fields: ${field} is not in the answer, which has in place of ${name}: ${others}`,
        );
      const inner: Picked = at.get(name) ?? new Map();
      at.set(name, inner);
      at = inner;
      members = membersOf(member, schemas);
    }
  }
  return picked;
}

/** The picked members of what an operation answered, and how many were left out. The pages of a list stay. */
export function pickFields(body: Record<string, unknown>, picked: Picked) {
  const leftOut = new Set<string>();
  const kept = pick("data" in body ? body.data : body, picked, "", leftOut);
  return { left_out: leftOut.size, body: "data" in body ? { ...body, data: kept } : kept };
}

function pick(value: unknown, picked: Picked, path: string, leftOut: Set<string>): unknown {
  if (picked.size === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, picked, path, leftOut));
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const named = picked.get(name);
    if (named !== undefined) return [[name, pick(inner, named, `${path}${name}.`, leftOut)]];
    leftOut.add(path + name);
    return [];
  });
  return Object.fromEntries(kept);
}
