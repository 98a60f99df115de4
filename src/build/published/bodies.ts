import type { OpenApiDocument } from "#api/openapi/document.ts";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { mapValues } from "./schema-walk.ts";

type Json = { readonly [name: string]: unknown };
type Components = Readonly<Record<string, JsonSchema>>;
type Media = { schema: JsonSchema; example?: unknown };

/** The paths with each body's sample in the form that its schema has, and with forms that hold texts and files alone. */
export function withFittingBodies(
  paths: OpenApiDocument["paths"],
  components: Components,
): OpenApiDocument["paths"] {
  const fitted = (media: unknown, type: string) => {
    const { schema, example } = media as Media;
    return {
      schema: type === "multipart/form-data" ? asForm(schema, components) : schema,
      ...(example !== undefined && { example: fitting(example, schema, components) }),
    };
  };
  return mapValues(paths, (methods) =>
    mapValues(methods as Json, (operation) => {
      const { requestBody } = operation as { requestBody?: { content: Json } };
      if (requestBody === undefined) return operation;
      return {
        ...(operation as Json),
        requestBody: { ...requestBody, content: mapValues(requestBody.content, fitted) },
      };
    }),
  ) as OpenApiDocument["paths"];
}

/** A form has no null, and an object in it is JSON. What is sent as JSON too stands in the form a second time. */
function asForm(schema: JsonSchema, components: Components): JsonSchema {
  const record = resolved(schema, components);
  if (record.additionalProperties === undefined) return schema;
  const { additionalProperties: _, examples: __, properties, ...form } = record;
  return { ...form, properties: mapValues(properties as Json, (member) => fieldOf(member as JsonSchema)) };
}

function fieldOf({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema {
  const [type] = [schema.type].flat().filter((one) => one !== "null");
  return { ...schema, type: type === "object" ? "string" : type };
}

function fitting(value: unknown, place: JsonSchema, components: Components): unknown {
  const schema = resolved(place, components);
  const types = [schema.type].flat();
  if (typeof value === "number" && types.includes("string")) return String(value);
  if (Array.isArray(value))
    return value.map((one) => fitting(one, (schema.items ?? {}) as JsonSchema, components));
  if (typeof value === "string" && types.includes("object")) {
    const [name = ""] = (schema.required ?? []) as string[];
    return { [name]: value };
  }
  if (typeof value !== "object" || value === null) return value;
  const members = (schema.properties ?? {}) as Components;
  return mapValues(value as Json, (one, name) => fitting(one, members[name] ?? {}, components));
}

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  return components[String(schema.$ref).split("/").at(-1) ?? ""] ?? schema;
}
