import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { exposeToBrowsers } from "#api/access/allowed-origin.ts";
import { ClientClosed } from "#api/bodies/read-body.ts";
import { requireAdmission } from "#core/coordination.ts";
import { logFault } from "#core/log.ts";
import { MOST_ERRORS, PROBLEMS, Problem } from "#shared/problem.ts";
import { environmentOf } from "../environment.ts";
import { loggedPath } from "../request-log.ts";
import type { App, State } from "../request-state.ts";
import { jsonReply } from "./replies.ts";

// As proxies log it: the client is gone and reads no reply.
const CLIENT_CLOSED = 499;
const NO_JSON =
  "The body is not valid JSON: names and texts stand in double quotes, and no comma after the last member";

/** The one renderer of errors (RFC 9457 member names). A refusal of the limiter beats any other error of the call. */
export async function renderError(error: unknown, c: Context<App>): Promise<Response> {
  let cause = error;
  try {
    const { admission } = c.get("state");
    if (admission !== undefined) await requireAdmission(admission);
  } catch (refusal) {
    cause = refusal;
  }
  if (cause instanceof ClientClosed) {
    c.set("problem", "client_closed");
    return new Response(null, { status: CLIENT_CLOSED });
  }
  const problem = recordProblem(cause, c);
  await exposeToBrowsers(c, problem);
  const body = problemBody(problem, { ...c.get("state"), origin: environmentOf(c).origin });
  const type = c.req.header("Accept")?.includes("application/problem+json")
    ? "application/problem+json; charset=utf-8"
    : "application/json; charset=utf-8";
  return jsonReply(c, problem.status, body, { "Content-Type": type, ...problem.details.headers });
}

/** The body of an error. */
export function problemBody(
  problem: Problem,
  { requestId, resource, origin }: Pick<State, "requestId" | "resource"> & { origin: string },
): Record<string, unknown> {
  const { errors, errorCount = errors?.length ?? 0, members } = problem.details;
  const missing = problem.code === "not_found" && resource !== undefined ? { resource } : {};
  const message = messageOf(problem, resource);
  return {
    success: false,
    type: `${origin}/errors/${problem.code}`,
    title: PROBLEMS[problem.code][1],
    status: problem.status,
    code: problem.code,
    message,
    detail: message,
    ...(errors === undefined ? {} : { errors: errors.slice(0, MOST_ERRORS) }),
    ...(errorCount > MOST_ERRORS ? { error_count: errorCount } : {}),
    ...missing,
    ...members,
    request_id: requestId,
  };
}

/** Help for the reader; a record that is not there is named by its kind. */
function messageOf({ code, details, message }: Problem, resource: string | undefined): string {
  const isNamed = code === "not_found" && details.message === undefined && resource !== undefined;
  return isNamed ? `There is no such ${resource.replaceAll("_", " ")}` : message;
}

/** The problem that the client receives, kept for the request's log line; a fault is logged. */
export function recordProblem(error: unknown, c: Context<App>): Problem {
  const problem = toProblem(error);
  if (problem.code === "internal_error") logFault("internal_error", error, loggedPath(c.req.path));
  c.set("problem", problem.code);
  return problem;
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Hono's validator throws it for a body that JSON.parse refuses.
  const malformed = error instanceof HTTPException && error.status === 400;
  return malformed ? new Problem("invalid_json", { message: NO_JSON }) : new Problem("internal_error");
}
