import { findOrigins } from "#control/directory.ts";
import { isCompanySlug } from "#shared/slug.ts";
import { directoryOf } from "./environment.ts";
import type { RequestContext } from "./state.ts";

const PREFLIGHT_SECONDS = 7_200;

/**
 * Whether a browser at `origin` is on the allow-list. Entries are normalised when saved; `https://*.host` stands for
 * every host below it, not for the host itself.
 */
export function isAllowedOrigin(origin: string, allowList: readonly string[]): boolean {
  const exact = origin.toLowerCase();
  return allowList.some((entry) => {
    const [scheme, parent] = entry.split("*.");
    if (parent === undefined) return entry === exact;
    const host = exact.startsWith(scheme ?? "") ? exact.slice(scheme?.length) : "";
    return host.length > parent.length + 1 && host.endsWith(`.${parent}`) && isHostName(host);
  });
}

/** The origin that a request from a browser names: `Origin` alone decides where it is sent, else `Referer`. */
export function requestOrigin(headers: Headers): string | null {
  const origin = headers.get("Origin");
  if (origin !== null) return origin;
  const referer = headers.get("Referer");
  return referer !== null && URL.canParse(referer) ? new URL(referer).origin : null;
}

/**
 * Answers a preflight, which names no key: the origin is judged by all publishable keys of the company. Refusing means
 * an answer without CORS headers.
 */
export async function preflight(c: RequestContext): Promise<Response> {
  const origin = c.req.header("Origin");
  const headers: Record<string, string> = {
    Vary: "Origin, Access-Control-Request-Headers",
    "X-Request-Id": c.get("state").requestId,
  };
  if (origin !== undefined && (await companyAllows(c, origin))) {
    headers["Access-Control-Allow-Origin"] = origin;
    headers["Access-Control-Allow-Methods"] = "GET, POST, OPTIONS";
    headers["Access-Control-Allow-Headers"] = "X-Client-Id, Content-Type, Idempotency-Key";
    headers["Access-Control-Max-Age"] = String(PREFLIGHT_SECONDS);
  }
  return new Response(null, { status: 204, headers });
}

/** Lets a refusal be read by the page that caused it, when any publishable key of the company allows its origin. */
export async function exposeRefusal(c: RequestContext): Promise<void> {
  const origin = c.req.header("Origin");
  // Where the origins cannot be looked up, the refusal stands as it is.
  if (origin !== undefined && (await companyAllows(c, origin).catch(() => false)))
    c.get("state").allowedOrigin = origin;
}

async function companyAllows(c: RequestContext, origin: string): Promise<boolean> {
  const slug = c.req.param("company") ?? "";
  if (!isCompanySlug(slug)) return false;
  return isAllowedOrigin(origin, await findOrigins(directoryOf(c.env), slug, Date.now()));
}

function isHostName(host: string): boolean {
  return /^[a-z0-9.-]+$/.test(host);
}
