import type { OpenApiDocument } from "#api/openapi/document.ts";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { mapValues } from "./schema-walk.ts";

type Json = { readonly [name: string]: unknown };
type Components = Readonly<Record<string, JsonSchema>>;
type Media = { schema: JsonSchema; example?: unknown };

/** The paths with the sample of each body in the form that its schema has. */
export function withFittingSamples(
  paths: OpenApiDocument["paths"],
  components: Components,
): OpenApiDocument["paths"] {
  const fitted = (media: unknown) => {
    const { schema, example } = media as Media;
    return { schema, ...(example !== undefined && { example: fitting(example, schema, components) }) };
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

function fitting(value: unknown, place: JsonSchema, components: Components): unknown {
  const schema = resolved(place, components);
  const types = [schema.type].flat();
  if (typeof value === "number" && types.includes("string")) return String(value);
  if (typeof value === "string" && types.includes("integer")) return Number(value);
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
