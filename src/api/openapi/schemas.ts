import * as z from "zod";

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schemas of one document: a zod schema with an id (`.meta({ id: "Customer" })`) becomes a component of it. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #examples = new Map<string, unknown>();
  readonly #converted = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  /** What a client may send (`input`) or gets (`output`), as JSON Schema. */
  jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const known = this.#converted[io].get(schema) ?? this.#convert(schema, io);
    this.#converted[io].set(schema, known);
    return known;
  }

  #convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        // A transform's output has no schema. In a reply a transform only normalises, so the schema of its input
        // serves.
        if (
          io === "output" &&
          zodSchema instanceof z.ZodPipe &&
          zodSchema.def.out instanceof z.ZodTransform
        ) {
          Object.assign(jsonSchema, this.jsonSchemaOf(zodSchema.def.in as z.ZodType, io));
        }
        tidy(jsonSchema, io);
      },
    });
    const text = JSON.stringify(converted).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/');
    const { $schema: _dialect, $defs = {}, ...own } = JSON.parse(text, withoutHidden);
    for (const [id, component] of Object.entries<JsonSchema>($defs)) this.#define(id, component);
    return own;
  }

  /** The components with what each of them shows. */
  shown(): Record<string, JsonSchema> {
    const examples = (id: string) => (this.#examples.has(id) ? { examples: [this.#examples.get(id)] } : {});
    return Object.fromEntries(
      Object.entries(this.components).map(([id, schema]) => [id, { ...schema, ...examples(id) }]),
    );
  }

  /** A reference to the schema as a component: of its own name, or of the one that it is a reference to. */
  named(id: string, schema: JsonSchema): JsonSchema {
    if ("$ref" in schema) return schema;
    this.#define(id, schema);
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Shows an example with a component, where it has none yet. */
  show(id: string, example: unknown): void {
    if (!this.#examples.has(id)) this.#examples.set(id, example);
  }

  #define(id: string, schema: JsonSchema): void {
    const known = this.components[id];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas have the id ${id}, or one differs between request and reply`);
    }
    this.components[id] = schema;
  }
}

// Members that are named only to be refused.
function withoutHidden(_name: string, value: unknown): unknown {
  return Object(value)["x-hidden"] === true ? undefined : value;
}

// What zod adds for its own completeness, and a reader of the document does not need.
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minLength === 0) delete schema.minLength;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // A reply may gain members within a version, so the document does not say that there are no others.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
