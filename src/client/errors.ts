import type { components } from "./types.d.ts";

/** The body of an error, as RFC 9457 has it. `code` is stable, `message` is for people. */
export type Problem = components["schemas"]["Problem"];

// Browsers do not say which of the two it was.
const MESSAGE =
  "No answer came from the API. In a browser: does the publishable key allow the origin of this page, and its policy the API?";

/** The API refused a call, or could not do it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** What a program looks at, such as `validation_failed`; `unexpected_answer` where the body is not the API's. */
  readonly code: string;
  /** The refused fields, the first 20 of them. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** What the support of the API asks for; null where the answer has none. */
  readonly requestId: string | null;
  /** All of the body, with the members that only some codes have; undefined where it is not the API's. */
  readonly problem: (Problem & Record<string, unknown>) | undefined;
  readonly response: Response;

  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : undefined;
    super(problem?.message ?? `The answer is ${response.status} and not of the API.`);
    this.status = response.status;
    this.code = problem?.code ?? "unexpected_answer";
    this.errors = problem?.errors ?? [];
    this.requestId = response.headers.get("X-Request-Id");
    this.problem = problem;
    this.response = response;
  }
}

/** No answer came within the time limit, or the network failed. What a write asked for may be done all the same. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  /** The key of the write: the same call with it is done once. Null of a read, and of a checkout, which ignores keys. */
  readonly idempotencyKey: string | null;

  constructor(cause: unknown, idempotencyKey: string | null) {
    super(MESSAGE, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

function isProblem(body: unknown): body is Problem & Record<string, unknown> {
  return typeof body === "object" && body !== null && "code" in body && "message" in body;
}
