import { mayLeaveOutBody, type Operation, scopesOf } from "#api/operations/operation.ts";
import { Upload } from "#shared/files/upload.ts";
import { API_VERSION } from "#shared/version.ts";
import { Bodies } from "./bodies.ts";
import { componentsOf } from "./components.ts";
import { ErrorReplies, type Reply } from "./error-replies.ts";
import type { Examples, ShownOperation } from "./examples.ts";
import { monitorPaths } from "./monitors.ts";
import { type Parameter, parametersOf } from "./parameters.ts";
import { repliesOf } from "./replies.ts";
import { type JsonSchema, Schemas } from "./schemas.ts";
import { shareParameters } from "./sharing.ts";
import { groupsOf, inOrder, type Tag, type TagGroup, tagsOf } from "./tags.ts";
import { type DocumentedWebhook, WEBHOOK_TAG, type Webhook, webhooksOf } from "./webhooks.ts";

export type Server = { url: string; description: string; variables?: Record<string, JsonSchema> };
type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

/** One operation as the document describes it. */
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-status": "available" | "planned";
  "x-scopes": string[];
  /** On a create that cannot be taken back. */
  "x-final"?: true;
  /** Of a write: the kinds of records of which it may leave events, the one that it makes first. */
  "x-changes"?: readonly string[];
  security: Record<string, []>[];
  servers?: Server[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Reply | { $ref: string }>;
};

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  openapi: "3.1.1";
  info: Record<string, unknown>;
  servers: Server[];
  tags: Tag[];
  /** How the reference page puts the tags together. */
  "x-tagGroups": TagGroup[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, DocumentedWebhook>;
  components: Record<string, unknown>;
};

const BASES: Server[] = [
  { url: "/v1", description: "The base address" },
  { url: "/api/v1", description: "The same under its other path" },
];
const ROOT: Server = {
  url: "{host}",
  description: "The root of the host",
  variables: { host: { default: "/", description: "Where the service is, without a path." } },
};
// Generators copy it into each of their files, so what holds for every operation stands elsewhere.
const DESCRIPTION =
  "One company's business account over HTTP: GST invoices, customers, stock, payments, messaging, bookings and projects. [What every operation keeps to](/docs/pages/conventions), [first steps](/docs/guides), [error codes](/errors).";

/**
 * The document of the API: `operations` stand under the base address, `rootOperations` at the root of the host, `webhooks`
 * are what it sends by itself, and `examples` are shown of all of them.
 */
export function openApiDocument(
  operations: readonly Operation[],
  rootOperations: readonly Operation[],
  webhooks: readonly Webhook[],
  examples: Examples,
): OpenApiDocument {
  const schemas = new Schemas();
  const errors = new ErrorReplies();
  const all = [...operations, ...rootOperations];
  const bodies = new Bodies(all, schemas);
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of all) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    const shown = { ...operation, example: examples.operations.get(operation.id) };
    const documented = documentedOperation(shown, schemas, errors, bodies);
    const servers = rootOperations.includes(operation) ? { servers: [ROOT] } : {};
    paths[path] = { ...paths[path], [operation.method]: { ...documented, ...servers } };
  }
  const parameters = shareParameters(Object.values(paths).flatMap((methods) => Object.values(methods)));
  const tags = inOrder([...tagsOf(all), { name: "Health", description: "For monitors." }, WEBHOOK_TAG]);
  return {
    openapi: "3.1.1",
    info: {
      title: "Company Operations API",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: BASES,
    tags,
    "x-tagGroups": groupsOf(tags),
    paths: { ...paths, ...monitorPaths(ROOT) },
    webhooks: webhooksOf(webhooks, schemas, examples),
    components: componentsOf(schemas, errors, parameters),
  };
}

function documentedOperation(
  operation: ShownOperation,
  schemas: Schemas,
  errors: ErrorReplies,
  bodies: Bodies,
): DocumentedOperation {
  const { id, area, summary, planned, body } = operation;
  return {
    operationId: id,
    tags: [area],
    summary,
    description: descriptionOf(operation),
    "x-status": planned ? "planned" : "available",
    "x-scopes": scopesOf(operation),
    ...(operation.isFinal && { "x-final": true }),
    ...(operation.changes.length > 0 && { "x-changes": operation.changes }),
    security: securityOf(operation),
    parameters: parametersOf(operation, schemas),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !mayLeaveOutBody(operation),
            content: contentOf(operation, bodies),
          },
        }),
    responses: repliesOf(operation, schemas, errors),
  };
}

function contentOf({ id, form, example }: ShownOperation, bodies: Bodies): Content {
  const shown = (body: unknown) => (body === undefined ? {} : { example: body });
  const json: Content =
    form === "always"
      ? {}
      : { "application/json": { schema: bodies.referenceTo(id, "Body"), ...shown(fieldsOf(example?.body)) } };
  if (form === undefined) return json;
  return {
    ...json,
    "multipart/form-data": { schema: bodies.referenceTo(id, "Form"), ...shown(example?.body) },
  };
}
function fieldsOf(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !(value instanceof Upload)));
}

function descriptionOf(operation: Operation): string {
  const { description, scope, keys, planned } = operation;
  const scopes = scopesOf(operation).map((name) => `\`${name}\``);
  const rights = scope === "platform" ? "For the operator of the service." : `Scope: ${scopes.join(" or ")}.`;
  return [
    ...(planned ? ["**Planned**: answers 405 `operation_not_available`."] : []),
    ...(description === undefined ? [] : [description]),
    keys === "any" ? `${rights} Publishable keys may call it too.` : rights,
  ].join("\n\n");
}

function securityOf({ scope, keys }: Operation): DocumentedOperation["security"] {
  if (scope === "platform") return [{ platformToken: [] }];
  const secretKey: Record<string, []> = { clientId: [], clientSecret: [] };
  return keys === "any" ? [secretKey, { clientId: [] }] : [secretKey];
}
