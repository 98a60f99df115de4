import { retryAfter } from "#platform/coordination.ts";
import type { RequestContext } from "./state.ts";

const EXPOSED = "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id";
const WINDOW_SECONDS = 60;

/** A JSON reply with the headers that every reply carries: request id, version, limits, and CORS where it is due. */
export async function jsonReply(
  c: RequestContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      ...(await commonHeaders(c)),
      ...headers,
    },
  });
}

/** The headers of every reply of the API, whatever its body. */
export async function commonHeaders(c: RequestContext): Promise<Record<string, string>> {
  const { requestId, admission, allowedOrigin } = c.get("state");
  const headers: Record<string, string> = {
    "X-Request-Id": requestId,
    "API-Version": "1.0.0",
    "X-Content-Type-Options": "nosniff",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  };
  const admitted = await admission;
  if (admitted !== undefined && admitted.limit > 0) {
    const reset = retryAfter(admitted.resetMs);
    headers["X-RateLimit-Limit"] = String(admitted.limit);
    headers["X-RateLimit-Remaining"] = String(admitted.remaining);
    headers["X-RateLimit-Reset"] = String(reset);
    headers["RateLimit-Policy"] = `"default";q=${admitted.limit};w=${WINDOW_SECONDS}`;
    headers.RateLimit = `"default";r=${admitted.remaining};t=${reset}`;
  }
  if (allowedOrigin !== undefined) {
    headers["Access-Control-Allow-Origin"] = allowedOrigin;
    headers["Access-Control-Expose-Headers"] = EXPOSED;
    headers.Vary = "Origin";
  }
  return headers;
}
