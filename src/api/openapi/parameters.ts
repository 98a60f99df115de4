import type { Schema } from "#api/operations/operation.ts";
import type { ShownOperation } from "./examples.ts";
import { takesIdempotencyKey } from "./replies.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

export type Parameter =
  | { $ref: string }
  | {
      name: string;
      in: "path" | "query";
      required: boolean;
      description?: string;
      /** How an object is written into the query. */
      style?: string;
      schema: JsonSchema;
      example?: string;
    };

// The ids of records that are counted from 1, as their schemas have them.
const RECORD_ID = "^[1-9][0-9]{0,15}$";
type Inline = Exclude<Parameter, { $ref: string }>;

/** The parameters of an operation: of its path, of its query, and the Idempotency-Key. */
export function parametersOf(operation: ShownOperation, schemas: Schemas): Parameter[] {
  const path = membersOf(operation.params, schemas);
  const query = membersOf(operation.query, schemas);
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return [
    ...names.map((name) =>
      name === "company"
        ? { $ref: "#/components/parameters/company" }
        : withExample(
            parameterOf("path", name, path.properties[name] ?? { type: "string" }, true),
            operation.example?.path?.[name],
          ),
    ),
    ...Object.entries(query.properties).map(([name, schema]) =>
      parameterOf("query", name, schema, query.required.includes(name)),
    ),
    ...(operation.version === "checked" ? [{ $ref: "#/components/parameters/If-Match" }] : []),
    ...(takesIdempotencyKey(operation) ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
  ];
}

/** The parameter with its example: the operation's, else the schema's, else for an id the first record's. */
function withExample({ schema: { examples, ...schema }, ...parameter }: Inline, own?: string): Inline {
  const [first] = ((examples ?? schema.enum) as string[] | undefined) ?? [];
  const shown = own ?? first ?? (schema.pattern === RECORD_ID ? "1" : undefined);
  return { ...parameter, schema, ...(shown === undefined ? {} : { example: shown }) };
}

type Members = { properties: Record<string, JsonSchema>; required: readonly string[] };

function membersOf(schema: Schema | undefined, schemas: Schemas): Members {
  const converted = schema === undefined ? {} : schemas.jsonSchemaOf(schema, "input");
  return { properties: {}, required: [], ...converted };
}

function parameterOf(
  place: "path" | "query",
  name: string,
  { description, style, ...schema }: JsonSchema,
  required: boolean,
): Inline {
  return {
    name,
    in: place,
    required,
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof style === "string" ? { style } : {}),
    schema,
  };
}
