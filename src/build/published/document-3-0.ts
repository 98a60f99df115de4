import type { OpenApiDocument } from "#api/openapi/document.ts";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { withUsedComponents } from "./publish.ts";
import { deeply, withSchemas } from "./schema-walk.ts";

type Json = { readonly [name: string]: unknown };

/** The published document in OpenAPI 3.0.3, for generators that know no later one: it has no webhooks. */
export function inOpenApi30({ webhooks: _, ...document }: OpenApiDocument): Json {
  const { license, ...info } = document.info;
  const { name, identifier } = license as { name: string; identifier: string };
  const spoken = withSchemas(withUsedComponents(document), (schema) => deeply(schema, in30));
  return {
    ...spoken,
    openapi: "3.0.3",
    info: { ...info, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } },
  };
}

function in30(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return $ref === undefined ? withBound(withExample(withNullable(schema)), "minimum") : { $ref };
}

function withNullable(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const [type] = schema.type.filter((one) => one !== "null");
  return { ...schema, type, ...(schema.type.includes("null") && { nullable: true }) };
}

function withExample({ examples, ...schema }: JsonSchema): JsonSchema {
  return Array.isArray(examples) ? { ...schema, example: examples[0] } : schema;
}

/** A bound that is left out was a number of its own from 3.1 on. */
function withBound(schema: JsonSchema, bound: "minimum" | "maximum"): JsonSchema {
  const word = `exclusive${bound === "minimum" ? "Minimum" : "Maximum"}`;
  const own = typeof schema[word] === "number" ? { ...schema, [bound]: schema[word], [word]: true } : schema;
  return bound === "minimum" ? withBound(own, "maximum") : own;
}
