import type { Json } from "./published.ts";

/** What may stand at a place of a body or an answer, whatever it is called: its types, its values, whether it must be there. */
export type Spot = { types: string[]; values: unknown[]; required: boolean };
type Document = { paths: object; components: object };
type Operation = { parameters: Json[]; requestBody?: Json; responses: Record<string, Json> };

/** Every place of the parameters, JSON bodies and JSON answers of a document, with all references followed. */
export function spotsOf({ paths, components }: Document): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  const follow = (node: Json): Json => {
    if (typeof node.$ref !== "string") return node;
    const [, , kind = "", name = ""] = node.$ref.split("/");
    return follow((components as Record<string, Record<string, Json>>)[kind]?.[name] ?? {});
  };
  const walk = (schemas: readonly Json[], place: string, required: boolean): void => {
    const forms = schemas.flatMap((schema) => formsOf(schema, follow));
    spots.set(place, {
      types: [...new Set(forms.flatMap(typesOf))].sort(),
      values: forms.flatMap(valuesOf),
      required,
    });
    const records = forms.filter(({ properties }) => properties !== undefined);
    const members = records.map((one) => one.properties as Record<string, Json>);
    for (const name of new Set(members.flatMap(Object.keys))) {
      const isRequired = records.every((one) => ((one.required ?? []) as string[]).includes(name));
      walk(
        members.flatMap((one) => (name in one ? [one[name] as Json] : [])),
        `${place}.${name}`,
        isRequired,
      );
    }
    const items = forms.flatMap(({ items }) => (items === undefined ? [] : [items as Json]));
    if (items.length > 0) walk(items, `${place}[]`, false);
  };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { parameters, requestBody, responses }] of Object.entries<Operation>(methods)) {
      const address = `${method.toUpperCase()} ${path}`;
      for (const parameter of parameters.map(follow))
        walk(
          [parameter.schema as Json],
          `${address} sent ${parameter.in} ${parameter.name}`,
          parameter.required === true,
        );
      for (const schema of jsonOf(requestBody))
        walk([schema], `${address} sent body`, requestBody?.required === true);
      for (const [status, reply] of Object.entries(responses))
        for (const schema of jsonOf(follow(reply))) walk([schema], `${address} answer ${status}`, true);
    }
  return spots;
}

function jsonOf(holder: Json | undefined): Json[] {
  const content = holder?.content as Record<string, { schema: Json }> | undefined;
  return content?.["application/json"] === undefined ? [] : [content["application/json"].schema];
}

/** The schemas of which a value has one. */
function formsOf(schema: Json, follow: (node: Json) => Json): Json[] {
  const { anyOf, oneOf, ...own } = follow(schema);
  const forms = (anyOf ?? oneOf) as Json[] | undefined;
  return forms === undefined ? [own] : forms.flatMap((one) => formsOf(one, follow));
}

function typesOf(schema: Json): string[] {
  if (schema.nullable === true) return [...typesOf({ ...schema, nullable: false }), "null"];
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  return "const" in schema ? [typeof schema.const] : ["any"];
}

function valuesOf(schema: Json): unknown[] {
  return (schema.enum as unknown[] | undefined) ?? ("const" in schema ? [schema.const] : []);
}
