import { logRequest } from "#core/log.ts";
import type { RequestContext } from "./request-state.ts";

const BEFORE_TOKEN = /^(\/(?:[bcinu]|cal)\/[^/]*\/|\/(?:api\/)?v1\/webhooks\/(?:[^/]*\/){3}).+$/is;

const MOST_LETTERS = 500;

/** Writes the one line of this request, once its reply is known. */
export function logReply(c: RequestContext): void {
  if (c.env.LOG === "off") return;
  const { startedAt, key } = c.get("state");
  logRequest({
    method: c.req.method,
    path: loggedPath(c.req.path),
    status: c.res.status,
    duration_ms: Date.now() - startedAt,
    actor: key?.clientId,
    code: c.get("problem"),
  });
}

/** A path as it may stand in a log: without the token that alone opens a hosted page or signs a provider's callback. */
export function loggedPath(path: string): string {
  return path.replace(BEFORE_TOKEN, "$1:token").slice(0, MOST_LETTERS);
}
