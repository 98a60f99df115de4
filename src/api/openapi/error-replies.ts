import { problemBody } from "#api/replies/errors.ts";
import { fieldProblem, PROBLEMS, Problem, type ProblemCode } from "#shared/problem.ts";
import type { JsonSchema } from "./schemas.ts";

type Content = { schema: JsonSchema; example?: unknown; examples?: Record<string, { $ref: string }> };
export type Reply = {
  description: string;
  headers: Record<string, JsonSchema>;
  content: Record<string, Content>;
};

/** What the examples show as a request id. */
export const REQUEST_ID = "req_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC";

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "NotAllowed",
  408: "TooSlow",
  409: "Conflict",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooManyRequests",
  500: "InternalError",
  503: "Unavailable",
};

/** The codes that every operation can answer. */
export const ALWAYS = [
  "missing_credentials",
  "invalid_credentials",
  "rate_limited",
  "internal_error",
  "unavailable",
  "database_blocked",
  "no_key_opens",
  "upgrading",
] as const;

// What the usual codes are called in a reply's name. What every reply of a status has is not named.
const USUAL: Partial<Record<ProblemCode, string>> = {
  ...Object.fromEntries(ALWAYS.map((code) => [code, ""])),
  insufficient_scope: "",
  company_suspended: "",
  company_not_found: "Company",
  not_found: "Record",
  route_not_found: "Address",
  operation_not_available: "",
  request_timeout: "",
  invalid_json: "Json",
  invalid_idempotency_key: "Key",
  idempotency_key_in_use: "Key",
  idempotency_key_reused: "Key",
  payload_too_large: "",
  unsupported_media_type: "",
  validation_failed: "Field",
  unknown_parameter: "Query",
  unknown_member: "Body",
  no_accepted_fields: "Change",
  invalid_cursor: "Page",
  invalid_limit: "",
  unsupported_parameter: "",
};

const RETRY_AFTER: readonly ProblemCode[] = [
  "rate_limited",
  "messaging_rate_limited",
  "messaging_daily_cap",
  "idempotency_key_in_use",
  "unavailable",
  "database_blocked",
  "no_key_opens",
  "upgrading",
  "outcome_unknown",
];

/** The error replies of one document: one component for each status and set of codes. */
export class ErrorReplies {
  readonly responses: Record<string, Reply> = {};
  /** One of each code that a reply shows. */
  readonly examples: Record<string, { value: unknown }> = {};
  readonly #names = new Map<string, string>();

  /** A reference to the reply of an operation with the status and the codes. */
  referenceTo(operationId: string, status: number, codes: readonly ProblemCode[]): { $ref: string } {
    const kind = `${status} ${codes.join()}`;
    const name = this.#names.get(kind) ?? this.#add(nameOf(operationId, status, codes), codes);
    this.#names.set(kind, name);
    return { $ref: `#/components/responses/${name}` };
  }

  #add(name: string, codes: readonly ProblemCode[]): string {
    if (name in this.responses) throw new Error(`Two error replies have the name ${name}`);
    const problem = exampleProblem(codes);
    this.examples[problem.code] = {
      value: problemBody(problem, { requestId: REQUEST_ID, origin: "https://api.example.com" }),
    };
    this.responses[name] = failure(codes, problem.code);
    return name;
  }
}

/** The status and the codes; where one operation has many of its own, the operation. */
function nameOf(operationId: string, status: number, codes: readonly ProblemCode[]): string {
  const own = codes.filter((code) => USUAL[code] === undefined);
  const usual = codes.map((code) => USUAL[code] ?? "").join("");
  const title = STATUS_NAMES[status] ?? `Status${status}`;
  return own.length > 2
    ? `${title}Of${capitalised(operationId)}`
    : `${title}${usual}${own.map(pascal).join("")}`;
}

function failure(codes: readonly ProblemCode[], shown: ProblemCode): Reply {
  const retries = codes.some((code) => RETRY_AFTER.includes(code));
  return {
    description: codes.map((code) => `- \`${code}\`: ${PROBLEMS[code][1]}.`).join("\n"),
    headers: headersOf([
      ...(codes.includes("missing_credentials") ? ["WWW-Authenticate"] : []),
      ...(codes.includes("operation_not_available") ? ["Allow"] : []),
      ...(retries ? ["Retry-After"] : []),
    ]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: { [shown]: { $ref: `#/components/examples/${shown}` } },
      },
    },
  };
}

/** What a header is called among the components: nearly every reply refers to it, so its name is short. */
export function headerComponent(name: string): string {
  return name.replace(/^X-(?:RateLimit-)?/, "");
}

/** References to the named headers, after the one that every reply has. */
export function headersOf(names: readonly string[]): Reply["headers"] {
  return Object.fromEntries(
    ["X-Request-Id", ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${headerComponent(name)}` },
    ]),
  );
}

/** One of the codes; where it can be, one that shows how a field is refused. */
function exampleProblem(codes: readonly ProblemCode[]): Problem {
  const [code = "internal_error"] = codes;
  const ofField = codes.includes("validation_failed") && codes.includes("unknown_member");
  return ofField ? fieldProblem("name", "required", "is required") : new Problem(code);
}

function pascal(code: string): string {
  return code.split("_").map(capitalised).join("");
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
