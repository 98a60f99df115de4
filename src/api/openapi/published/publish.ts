import { SHORT_DESCRIPTION } from "../description.ts";
import type { DocumentedOperation, OpenApiDocument, Server } from "../document.ts";
import type { JsonSchema } from "../schemas.ts";
import { withFreeNames, withNamedRecords } from "./names.ts";
import { oneForm } from "./one-form.ts";
import { OWN_ADDRESS } from "./own-address.ts";
import { plainValues } from "./plain-values.ts";
import { withSchemas } from "./schema-walk.ts";

/**
 * The document as it is published: the same operations in the words that all generators of clients take. What a call
 * sends in one of several forms is described in one of them.
 */
export function publishedDocument(document: OpenApiDocument): OpenApiDocument {
  const { webhooks, ...others } = withFreeNames(document);
  const { schemas = {} } = others.components as { schemas?: Record<string, JsonSchema> };
  const plain = withSchemas(others, (schema) => plainValues(oneForm(schema, schemas)));
  const { schemas: records = {} } = plain.components as { schemas?: Record<string, JsonSchema> };
  return {
    ...plain,
    info: { ...plain.info, description: SHORT_DESCRIPTION },
    servers: plain.servers.map(absolute),
    paths: mapped(plain.paths, (methods) => mapped(methods, withAbsoluteServers)),
    webhooks: withSchemas(webhooks, plainValues),
    components: { ...plain.components, schemas: withNamedRecords(records) },
  };
}

function withAbsoluteServers(operation: DocumentedOperation): DocumentedOperation {
  const { servers } = operation;
  return servers === undefined ? operation : { ...operation, servers: servers.map(absolute) };
}

function absolute({ url, description }: Server): Server {
  return { url: OWN_ADDRESS + url.replace(/^{host}$/, ""), description };
}

function mapped<Value>(
  object: Record<string, Value>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
