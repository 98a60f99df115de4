import type { Operation } from "#api/operations/operation.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

type Body = { operationId: string; kind: "Body" | "Form"; schema: JsonSchema };

/** The bodies of a document, each a component; those that are equal share one. */
export class Bodies {
  readonly #references = new Map<string, JsonSchema>();

  constructor(operations: readonly Operation[], schemas: Schemas) {
    const bodies = operations.flatMap((operation) => bodiesOf(operation, schemas));
    for (const equal of Map.groupBy(bodies, ({ schema }) => JSON.stringify(schema)).values()) {
      const [{ schema } = { schema: {} }] = equal;
      const reference = schemas.named(nameOf(equal), schema);
      for (const { operationId, kind } of equal) this.#references.set(`${operationId}${kind}`, reference);
    }
  }

  /** A reference to what the operation takes as JSON, or as a form. */
  referenceTo(operationId: string, kind: Body["kind"]): JsonSchema {
    const reference = this.#references.get(`${operationId}${kind}`);
    if (reference === undefined) throw new Error(`${operationId} has no ${kind}`);
    return reference;
  }
}

function bodiesOf({ id, body, form }: Operation, schemas: Schemas): Body[] {
  if (body === undefined) return [];
  const schema = schemas.jsonSchemaOf(body, "input");
  return [
    ...(form === "always" ? [] : [{ operationId: id, kind: "Body" as const, schema: withoutFiles(schema) }]),
    ...(form === undefined ? [] : [{ operationId: id, kind: "Form" as const, schema }]),
  ];
}

/** As in `CreateInvoiceBody`; `InvoiceBody` where creating and updating one take the same. */
function nameOf([first, ...others]: readonly Body[]): string {
  if (first === undefined) throw new Error("A name is of at least one body");
  const noun = (operationId: string) => operationId.replace(/^[a-z]+/, "");
  const same = others.every(({ operationId }) => noun(operationId) === noun(first.operationId));
  const { operationId, kind } = first;
  return others.length > 0 && same
    ? `${noun(operationId)}${kind}`
    : `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}${kind}`;
}

/** JSON holds no file. */
function withoutFiles(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined) return schema;
  const members = Object.entries(schema.properties as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(members.filter(([, { format }]) => format !== "binary")),
  };
}
