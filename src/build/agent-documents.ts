import { answerMembers, type Replies } from "#api/mcp/fields.ts";
import { needsApproval } from "#api/mcp/needs-approval.ts";
import type { AgentOperation } from "#api/mcp/operations.ts";
import { wordsOf } from "#api/mcp/words.ts";
import type { DocumentedOperation, OpenApiDocument } from "#api/openapi/document.ts";
import { usedOf } from "./client-view.ts";
import { everydayWordsOf } from "./everyday-words.ts";

type Json = Record<string, unknown>;
type Content = Record<string, object>;
type Parameter = { name: string; required?: boolean };

// The server of agents sets them itself.
const OWN_PARAMETERS = new Set(["Idempotency-Key", "dry_run"]);

/** What an agent reads of the API: a list of the operations that a key may call, a description of each, and its replies. */
export function agentDocuments(document: OpenApiDocument): {
  list: AgentOperation[];
  descriptions: Record<string, Json>;
} {
  const called = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // What has servers of its own is of operators and monitors.
      .filter(([, { "x-status": status, servers }]) => status === "available" && servers === undefined)
      .map(([method, operation]) => ({ listed: listedAs(document, path, method, operation), operation })),
  );
  return {
    list: called.map(({ listed }) => listed),
    descriptions: Object.fromEntries(
      called.flatMap(({ listed, operation }) => {
        const replies = describeReplies(document, operation);
        const fields = Object.keys(answerMembers(replies));
        return [
          [listed.id, { ...describe(document, listed, operation), fields }],
          [`${listed.id}.replies`, replies],
        ];
      }),
    ),
  };
}

function listedAs(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
): AgentOperation {
  const { operationId: id, summary, description, tags, requestBody, responses } = operation;
  const { "x-final": isFinal = false, "x-changes": changes = [] } = operation;
  const [tag = ""] = tags;
  // A create changes what exists where it leaves events of more than its own kind of record.
  const onlyAdds = method === "post" && "201" in responses && !isFinal && changes.length < 2;
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    tag,
    only_reads: method === "get",
    may_destroy: method !== "get" && !onlyAdds,
    needs_approval: needsApproval({ id, method, tag }),
    has_dry_run: parametersOf(document, operation).some(({ name }) => name === "dry_run"),
    everyday: everydayWordsOf(id),
    words: [...wordsOf(description)].join(" "),
    takes_json: requestBody === undefined || "application/json" in requestBody.content,
  };
}

function describe(document: OpenApiDocument, listed: AgentOperation, operation: DocumentedOperation): Json {
  const { everyday: _, words: __, ...shown } = listed;
  const { description, "x-scopes": scopes, requestBody } = operation;
  // What need not be sent is said by leaving `required` out, as JSON Schema has it.
  const parameters = parametersOf(document, operation)
    .filter(({ name }) => !OWN_PARAMETERS.has(name))
    .map(({ required, ...parameter }) => (required ? { ...parameter, required } : parameter));
  const described = { ...shown, description, scopes, parameters, body: requestBody?.content };
  return { ...described, components: usedOf(document.components as Record<string, Json>, described) };
}

function describeReplies(document: OpenApiDocument, { responses }: DocumentedOperation): Replies {
  const succeeded = Object.entries(responses).filter(([status]) => status < "3");
  const replies = Object.fromEntries(succeeded.map(([status, reply]) => [status, contentOf(reply)]));
  return { replies, components: usedOf(document.components as Record<string, Json>, replies) };
}

function contentOf(reply: object): Content | undefined {
  return "content" in reply ? (reply.content as Content) : undefined;
}

function parametersOf(document: OpenApiDocument, { parameters }: DocumentedOperation): Parameter[] {
  const shared = document.components.parameters as Record<string, Parameter>;
  return (parameters as (Parameter | { $ref: string })[]).flatMap((parameter) =>
    "$ref" in parameter ? (shared[parameter.$ref.split("/").at(-1) ?? ""] ?? []) : parameter,
  );
}
