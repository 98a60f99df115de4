import type { OpenApiDocument } from "#api/openapi/document.ts";

type Json = { readonly [member: string]: unknown };

/** A place in a document that holds values: what it may be, and whether it must be there. */
type Place = { types: string[]; values?: unknown[]; required?: true };
/** A place in few letters, as the frozen shape has it: `string|null! ["a","b"]`. */
export function writtenPlace({ types, values, required }: Place): string {
  return `${types.join("|")}${required ? "!" : ""}${values === undefined ? "" : ` ${JSON.stringify(values)}`}`;
}

function readPlace(text: string): Place {
  const [, types = "", required, values] = /^([^! ]*)(!?)(?: (.*))?$/.exec(text) ?? [];
  return {
    types: types.split("|"),
    ...(values === undefined ? {} : { values: JSON.parse(values) }),
    ...(required === "!" ? { required: true } : {}),
  };
}

/** The shape that was frozen. */
export function readShape(frozen: Record<keyof DocumentShape, Written>): DocumentShape {
  const read = (written: Written) =>
    Object.fromEntries(Object.entries(written).map(([owner, places]) => [owner, mapped(places, readPlace)]));
  return {
    operations: read(frozen.operations),
    schemas: mapped(read(frozen.schemas), withBase(read(frozen.schemas))),
  };
}

/** Release 1.0.0 wrote some records as another one and their own members; clients found the members of both. */
function withBase(schemas: DocumentShape["schemas"]) {
  return ({ "": whole, ...own }: Record<string, Place>): Record<string, Place> => {
    const [base = "", ...others] = whole?.types ?? [];
    if (whole === undefined) return own;
    return others.length === 0 && base in schemas ? { ...schemas[base], ...own } : { "": whole, ...own };
  };
}

type Written = Record<string, Record<string, string>>;

export function mapped<From, To>(some: Record<string, From>, to: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(some).map(([name, one]) => [name, to(one)]));
}

/** What clients can rely on, by address: operations, parameters, bodies and replies; and the members of each schema. */
export type DocumentShape = {
  operations: Record<string, Record<string, Place>>;
  schemas: Record<string, Record<string, Place>>;
};

/** The shape of a document, without its words, examples and limits. */
export function shapeOf(document: OpenApiDocument): DocumentShape {
  const components = document.components as Record<string, Record<string, Json>>;
  const resolved = (node: Json): Json => {
    const { $ref } = node;
    if (typeof $ref !== "string") return node;
    const [, , kind = "", name = ""] = $ref.split("/");
    return components[kind]?.[name] ?? {};
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      placesOf(operation as unknown as Json, resolved),
    ]),
  );
  const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => [
    `WEBHOOK ${name}`,
    placesOf(post as unknown as Json, resolved),
  ]);
  return {
    operations: Object.fromEntries([...operations, ...webhooks]),
    schemas: mapped(components.schemas ?? {}, (schema) => membersOf(schema)),
  };
}

/** What of the shape a later one lacks or takes less of: each by its name, and why it breaks clients. */
export function narrowings(before: DocumentShape, after: DocumentShape): string[] {
  return (["operations", "schemas"] as const).flatMap((kind) =>
    Object.entries(before[kind]).flatMap(([owner, places]) => {
      const now = after[kind][owner];
      return now === undefined ? [`\`${owner}\` is gone`] : narrowedIn(owner, places, now);
    }),
  );
}

function narrowedIn(owner: string, before: Record<string, Place>, now: Record<string, Place>): string[] {
  const kept = Object.entries(before).flatMap(([name, place]) => {
    const found = now[name];
    if (found === undefined) return [`\`${owner} ${name}\` is gone`];
    return reasons(place, found, isSent(owner, name)).map((reason) => `\`${owner} ${name}\` ${reason}`);
  });
  const demanded = Object.entries(now)
    .filter(([name, { required }]) => required && isSent(owner, name) && before[name] === undefined)
    .map(([name]) => `\`${owner} ${name}\` must be sent now`);
  return [...kept, ...demanded];
}

/** A client that sends must be able to send what it sent; one that reads must find what it found. */
function reasons(before: Place, now: Place, sent: boolean): string[] {
  const [all, some] = sent ? [now, before] : [before, now];
  const lost = (before.values ?? []).filter((value) => !(now.values ?? [value]).includes(value));
  return [
    ...(some.types.every((type) => covers(all.types, type)) ? [] : ["has another type"]),
    ...(lost.length === 0 ? [] : [`has no ${lost.join(", ")} any more`]),
    ...(sent && before.values === undefined && now.values !== undefined ? ["takes some values only"] : []),
    ...(sent && now.required && !before.required ? ["must be sent now"] : []),
    ...(!sent && before.required && !now.required ? ["may be missing now"] : []),
  ];
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || types.includes("any") || (type === "integer" && types.includes("number"));
}

function isSent(owner: string, name: string): boolean {
  return /(?:Body|Form)$/.test(owner) || /^(?:query|path|header|body) /.test(name);
}

function placesOf(operation: Json, resolved: (node: Json) => Json): Record<string, Place> {
  const parameters = (operation.parameters as Json[]).map(resolved).map((parameter) => {
    const place = placeOf(parameter.schema as Json, parameter.required === true);
    return [`${parameter.in} ${parameter.name}`, place] as const;
  });
  const body = operation.requestBody as Json | undefined;
  const bodies = contentsOf(body, "body", body?.required === true);
  const replies = Object.entries(operation.responses as Record<string, Json>).flatMap(([status, reply]) =>
    contentsOf(/^[45]/.test(status) ? undefined : resolved(reply), `reply ${status}`, true),
  );
  return Object.fromEntries([...parameters, ...bodies, ...replies]);
}

function contentsOf(holder: Json | undefined, name: string, required: boolean): [string, Place][] {
  const content = (holder?.content ?? {}) as Record<string, { schema: Json }>;
  return Object.entries(content).map(([type, { schema }]) => [`${name} ${type}`, placeOf(schema, required)]);
}

function placeOf(schema: Json, required: boolean): Place {
  const values = valuesOf(schema);
  return {
    types: [...new Set(typesOf(schema))].sort(),
    ...(values.length === 0 ? {} : { values }),
    ...(required ? { required } : {}),
  };
}

function typesOf(schema: Json): string[] {
  if (typeof schema.$ref === "string") return [schema.$ref.split("/").at(-1) ?? ""];
  const nested = nestedIn(schema);
  if (nested.length > 0) return nested.flatMap(typesOf);
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  return "const" in schema ? [typeof schema.const] : ["any"];
}

function valuesOf(schema: Json): unknown[] {
  const own = (schema.enum as unknown[] | undefined) ?? ("const" in schema ? [schema.const] : []);
  return [...own, ...nestedIn(schema).flatMap(valuesOf)];
}

function nestedIn({ anyOf, oneOf, allOf }: Json): Json[] {
  return [anyOf, oneOf, allOf].flatMap((some) => (some as Json[] | undefined) ?? []);
}

/** Every member of a schema by its path; what it refers to by name is a schema of its own. */
function membersOf(schema: Json, path = ""): Record<string, Place> {
  const required = (schema.required as string[] | undefined) ?? [];
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, member]) => [
    [`${path}${name}`, placeOf(member, required.includes(name))],
    ...Object.entries(membersOf(member, `${path}${name}.`)),
  ]);
  const deeper = [...nestedIn(schema), schema.items, schema.additionalProperties].flatMap((one) =>
    typeof one === "object" && one !== null ? Object.entries(membersOf(one as Json, path)) : [],
  );
  const values = path === "" ? valuesOf(schema) : [];
  const bases = path === "" ? nestedIn(schema).filter(({ $ref }) => $ref !== undefined) : [];
  return Object.fromEntries([
    ...(values.length === 0 && bases.length === 0
      ? []
      : [["", placeOf({ ...schema, ...(bases.length === 0 ? {} : { anyOf: bases, allOf: [] }) }, false)]]),
    ...own,
    ...deeper,
  ]);
}
