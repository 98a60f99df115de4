import type { StoredFile } from "#core/files/folder.ts";
import { asciiName } from "#shared/files/upload.ts";
import { wholeSeconds } from "#shared/retry.ts";
import { API_VERSION } from "#shared/version.ts";
import { bodyTag, isKnown } from "../etag.ts";
import type { RequestContext } from "../request-state.ts";
import { type Answer, keepAnswer, type Place } from "./kept-answers.ts";

const EXPOSED =
  "Retry-After, X-Ignored-Members, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id";
const WINDOW_SECONDS = 60;

/** A JSON reply with the headers that every reply carries: request id, version, limits, and CORS where it is due. */
export function jsonReply(
  c: RequestContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return textReply(c, status, JSON.stringify(body), headers);
}

/** The reply of a read that its client may keep; the answer is kept here too where it has a place. */
export async function cacheableReply(
  c: RequestContext,
  body: unknown,
  cacheControl: string,
  place?: Place,
): Promise<Response> {
  const text = JSON.stringify(body);
  const answer = { text, tag: await bodyTag(text) };
  if (place !== undefined) keepAnswer(place, answer);
  return taggedReply(c, answer, cacheControl);
}

/** An answer with its ETag: 304 without a body while what the client has is the same. */
export async function taggedReply(
  c: RequestContext,
  { text, tag }: Answer,
  cacheControl: string,
): Promise<Response> {
  const headers = { "Cache-Control": cacheControl, ETag: tag, Vary: "Origin, X-Client-Id" };
  if (!isKnown(tag, c.req.header("If-None-Match"))) return textReply(c, 200, text, headers);
  return new Response(null, { status: 304, headers: { ...(await commonHeaders(c)), ...headers } });
}

async function textReply(
  c: RequestContext,
  status: number,
  text: string,
  headers: Record<string, string>,
): Promise<Response> {
  return new Response(text, {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      ...(await commonHeaders(c)),
      ...headers,
    },
  });
}

/** A file as an attachment: a browser saves it and shows nothing of it. */
export async function fileReply(
  c: RequestContext,
  { name, type, size, body }: StoredFile,
): Promise<Response> {
  const ascii = asciiName(name);
  // RFC 6266, section 4.3: clients that know the second name take it.
  const own = name === ascii ? "" : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Length": String(size),
      "Content-Disposition": `attachment; filename="${ascii}"${own}`,
      "Content-Security-Policy": "sandbox",
      "Cache-Control": "no-store",
      ...(await commonHeaders(c)),
    },
  });
}

/** The headers of every reply of the API, whatever its body. */
export async function commonHeaders(c: RequestContext): Promise<Record<string, string>> {
  const { requestId, admission, shownLimit, dayCap, allowedOrigin, ignored, ignoredParameters } =
    c.get("state");
  const headers: Record<string, string> = {
    "X-Request-Id": requestId,
    "API-Version": API_VERSION,
    "X-Content-Type-Options": "nosniff",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  };
  const admitted = shownLimit ?? (await admission);
  if (admitted !== undefined && admitted.limit > 0) {
    // The oldest bucket of a window counts whole, so a call may leave it somewhat later than after a minute.
    const reset = Math.min(WINDOW_SECONDS, wholeSeconds(admitted.resetMs));
    headers["X-RateLimit-Limit"] = String(admitted.limit);
    headers["X-RateLimit-Remaining"] = String(admitted.remaining);
    headers["X-RateLimit-Reset"] = String(reset);
    headers["RateLimit-Policy"] = `"default";q=${admitted.limit};w=${WINDOW_SECONDS}`;
    headers.RateLimit = `"default";r=${admitted.remaining};t=${reset}`;
  }
  if (dayCap !== undefined) {
    headers["X-Messaging-Cap-Limit"] = String(dayCap.limit);
    headers["X-Messaging-Cap-Remaining"] = String(dayCap.remaining);
    headers["X-Messaging-Cap-Reset"] = String(wholeSeconds(dayCap.resetMs));
  }
  if (ignored !== undefined) headers["X-Ignored-Members"] = ignored;
  if (ignoredParameters !== undefined) headers["X-Ignored-Parameters"] = ignoredParameters;
  if (allowedOrigin !== undefined) {
    headers["Access-Control-Allow-Origin"] = allowedOrigin;
    headers["Access-Control-Expose-Headers"] = EXPOSED;
    headers.Vary = "Origin";
  }
  return headers;
}
