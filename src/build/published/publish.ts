import type { DocumentedOperation, OpenApiDocument, Server } from "#api/openapi/document.ts";
import { OWN_ADDRESS } from "#api/openapi/own-address.ts";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { usedOf } from "../client-view.ts";
import { idsAsAnswered } from "./ids.ts";
import { withFreeNames, withNamedRecords } from "./names.ts";
import { oneForm } from "./one-form.ts";
import { plainValues } from "./plain-values.ts";
import { withFittingSamples } from "./samples.ts";
import { mapValues, withSchemas } from "./schema-walk.ts";

type Components = { schemas: Record<string, JsonSchema> } & Record<string, Record<string, unknown>>;

/**
 * The document as it is published: the same operations in the words that all generators of clients take. What a call
 * sends in one of several forms is described in one of them.
 */
export function publishedDocument(document: OpenApiDocument): OpenApiDocument {
  const { webhooks, ...others } = withFreeNames(document);
  const { schemas } = others.components as Components;
  const plain = withSchemas(others, (schema) => plainValues(oneForm(schema, schemas)));
  const components = plain.components as Components;
  const records = idsAsAnswered(withNamedRecords(components.schemas));
  const paths = mapValues(withFittingSamples(plain.paths, records), (methods) =>
    mapValues(methods as Record<string, DocumentedOperation>, withAbsoluteServers),
  );
  return withUsedComponents({
    ...plain,
    servers: plain.servers.map(absolute),
    paths: paths as OpenApiDocument["paths"],
    webhooks: withSchemas(webhooks, plainValues),
    // Some codes have further members, which Go and Java refuse where the schema does not allow them.
    components: {
      ...components,
      schemas: { ...records, Problem: { ...records.Problem, additionalProperties: true } },
    },
  });
}

/** The document without the components to which nothing in it refers. */
export function withUsedComponents<Part extends Pick<OpenApiDocument, "components">>(document: Part): Part {
  const { components, ...others } = document;
  const used = usedOf(components, others) as Record<string, object>;
  const kept = mapValues(components, (kind, name) =>
    name === "securitySchemes"
      ? kind
      : mapValues(kind as Record<string, unknown>, (one, key) =>
          key in (used[name] ?? {}) ? one : undefined,
        ),
  );
  return { ...document, components: kept };
}

function withAbsoluteServers(operation: DocumentedOperation): DocumentedOperation {
  const { servers } = operation;
  return servers === undefined ? operation : { ...operation, servers: servers.map(absolute) };
}

function absolute({ url, description }: Server): Server {
  return { url: OWN_ADDRESS + url.replace(/^{host}$/, ""), description };
}
