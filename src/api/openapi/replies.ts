import { mayBeKept, type Operation } from "#api/operations/operation.ts";
import { PROBLEMS, type ProblemCode } from "#shared/problem.ts";
import { refusesUnknown } from "../known-parameters.ts";
import { ALWAYS, type ErrorReplies, headersOf, type Reply } from "./error-replies.ts";
import type { ShownOperation } from "./examples.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

const MEANINGS = { 200: "Done.", 201: "Created.", 202: "Accepted; the work is queued." };
const LIMIT_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const CAP_HEADERS = ["X-Messaging-Cap-Limit", "X-Messaging-Cap-Remaining", "X-Messaging-Cap-Reset"];

/** The answer to an `If-None-Match` that still holds. */
export const NOT_MODIFIED = { description: "What the client has, by its If-None-Match, is the same." };

/** Whether the operation remembers an Idempotency-Key. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method !== "get" && operation.idempotent !== false;
}

/** Every reply the operation can give, by status. */
export function repliesOf(
  operation: ShownOperation,
  schemas: Schemas,
  errors: ErrorReplies,
): Record<string, Reply | { $ref: string }> {
  const codes = problemsOf(operation);
  const statusOf = (code: ProblemCode): number => operation.problemStatuses?.[code] ?? PROBLEMS[code][0];
  const statuses = [...new Set(codes.map(statusOf))];
  return {
    ...(operation.externalIds?.changes ? { 200: success({ ...operation, status: 200 }, schemas) } : {}),
    [operation.status]: success(operation, schemas),
    ...(mayBeKept(operation) ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        errors.referenceTo(
          operation.id,
          status,
          codes.filter((code) => statusOf(code) === status),
        ),
      ]),
    ),
  };
}

/** The codes the operation can answer: its own, and those of the steps that its call passes. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const codes = new Set([
    ...codesOfAccess(operation),
    ...(operation.planned ? (["operation_not_available"] as const) : codesOfWork(operation)),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

function codesOfAccess({ scope, keys }: Operation): ProblemCode[] {
  if (scope === "platform") return [...ALWAYS, "route_not_found"];
  const ofKind = keys === "any" ? "origin_not_allowed" : "secret_key_required";
  return [...ALWAYS, ofKind, "insufficient_scope", "company_suspended", "company_not_found"];
}

function codesOfWork(operation: Operation): ProblemCode[] {
  const { params, query, body, list, method, problems } = operation;
  const codes: [applies: boolean, ...ProblemCode[]][] = [
    [true, ...problems],
    [params !== undefined, "not_found"],
    [query !== undefined, "validation_failed"],
    [refusesUnknown(operation) || method !== "get", "unknown_parameter"],
    [typeof list === "function", "invalid_limit", "invalid_cursor", "unsupported_parameter"],
    [
      body !== undefined,
      "payload_too_large",
      "unsupported_media_type",
      "validation_failed",
      "unknown_member",
    ],
    [takesIdempotencyKey(operation), "payload_too_large"],
    [body !== undefined || takesIdempotencyKey(operation), "request_timeout"],
    [body !== undefined && operation.form !== "always", "invalid_json"],
    [method !== "get", "outcome_unknown"],
    [
      takesIdempotencyKey(operation),
      "invalid_idempotency_key",
      "idempotency_key_in_use",
      "idempotency_key_reused",
    ],
    // The answer of an earlier call may be erased since, with a person whom it named.
    [takesIdempotencyKey(operation) && operation.scope !== "platform", "not_found"],
  ];
  return codes.flatMap(([applies, ...some]) => (applies ? some : []));
}

function success(operation: ShownOperation, schemas: Schemas): Reply {
  const shown = operation.example?.result;
  const name = nameIn(schemas.jsonSchemaOf(operation.result, "output"));
  if (name !== undefined && shown !== undefined) schemas.show(name, shown);
  const example = name === undefined ? { example: shown } : {};
  const mediaType = operation.envelope === "file" ? "application/octet-stream" : "application/json";
  return {
    description: operation.list === undefined ? MEANINGS[operation.status] : "The records.",
    headers: headersOf([
      ...(operation.scope === "platform" ? [] : LIMIT_HEADERS),
      ...(operation.problems.includes("messaging_daily_cap") ? CAP_HEADERS : []),
      ...(operation.version === undefined ? [] : ["ETag"]),
      ...(operation.body === undefined ? [] : ["X-Ignored-Members"]),
      ...(refusesUnknown(operation) ? [] : ["X-Ignored-Parameters"]),
      ...(takesIdempotencyKey(operation) ? ["Idempotent-Replayed"] : []),
    ]),
    content: { [mediaType]: { schema: schemaOf(operation, schemas), ...example } },
  };
}

/** The record of a reply, and what wraps it, each a component of its own name. */
function schemaOf(operation: Operation, schemas: Schemas): JsonSchema {
  const { id, envelope, result, list } = operation;
  const record = schemas.jsonSchemaOf(result, "output");
  if (envelope === "file") return record;
  const name = nameIn(record);
  if (name === undefined) throw new Error(`Give the result of ${id} a name: .meta({ id: "..." })`);
  if (envelope === "flat") return record;
  const member = typeof envelope === "object" ? envelope.success : "data";
  const properties = {
    ...(envelope === "data" ? {} : { success: { const: true, description: "Always true." } }),
    [member]:
      list === undefined
        ? { ...record, description: "The record." }
        : { type: "array", items: record, description: "The records." },
    ...(typeof list === "function" ? { paging: { $ref: "#/components/schemas/Paging" } } : {}),
  };
  const plain = envelope === "data" || envelope === "success";
  const kind = `${plain ? "" : "Named"}${list === undefined ? "Reply" : typeof list === "function" ? "Page" : "List"}`;
  const wrapped = { type: "object", properties, required: Object.keys(properties) };
  return schemas.named(`${name}${envelope === "success" ? "Success" : ""}${kind}`, wrapped);
}

/** The name of the component that a schema refers to. */
function nameIn({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}
