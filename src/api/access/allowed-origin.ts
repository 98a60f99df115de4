import { VISITOR_HEADER } from "#core/visitor-token.ts";
import { Problem } from "#shared/problem.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { findOrigins } from "#tenancy/directory.ts";
import { directoryOf } from "../environment.ts";
import type { RequestContext } from "../request-state.ts";
import { admitAddress } from "./admit-address.ts";

const SCHOOL = /^\/(?:api\/)?v1\/schools\/([^/]+)/;
const PREFLIGHT_SECONDS = 7_200;
const MOST_ORIGIN_LETTERS = 200;
const PER_ADDRESS = { name: "preflight", limit: 1_200 };

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
    return host.length > parent.length + 1 && host.endsWith(`.${parent}`) && /^[a-z0-9.-]+$/.test(host);
  });
}

/** The origin of a browser's request: of `Origin` where that is sent, else of `Referer`. */
export function requestOrigin(headers: Headers): string | null {
  const origin = headers.get("Origin");
  if (origin !== null) return origin;
  const referer = headers.get("Referer");
  return referer !== null && URL.canParse(referer) ? new URL(referer).origin : null;
}

/** The 403 of an origin that the key does not allow, or of a call that names none. */
export function originProblem(origin: string | null): Problem {
  const message =
    origin === null
      ? "The call has neither Origin nor Referer: a publishable key works in browsers, use a secret key elsewhere"
      : `The key does not allow the origin ${origin.slice(0, MOST_ORIGIN_LETTERS)}: add it to the key's allowed_origins`;
  return new Problem("origin_not_allowed", { message });
}

/**
 * Answers a preflight of an address that has `methods`. It names no key: the origin is judged by all publishable keys of
 * the company. Refusing means an answer without CORS headers.
 */
export async function preflight(c: RequestContext, methods: string): Promise<Response> {
  const origin = c.req.header("Origin");
  await admitAddress(c, "preflight", PER_ADDRESS);
  const headers: Record<string, string> = {
    Allow: methods,
    Vary: "Origin, Access-Control-Request-Headers",
    "X-Request-Id": c.get("state").requestId,
  };
  if (origin !== undefined && (await companyAllows(c, c.req.param("company") ?? "", origin, true))) {
    headers["Access-Control-Allow-Origin"] = origin;
    headers["Access-Control-Allow-Methods"] = "GET, POST, OPTIONS";
    headers["Access-Control-Allow-Headers"] = `X-Client-Id, Content-Type, Idempotency-Key, ${VISITOR_HEADER}`;
    headers["Access-Control-Max-Age"] = String(PREFLIGHT_SECONDS);
  }
  return new Response(null, { status: 204, headers });
}

/**
 * Lets the page that caused a refusal below `/schools` read it, when any publishable key of the company allows its
 * origin. The refusal of an origin itself stays unreadable.
 */
export async function exposeToBrowsers(c: RequestContext, { code }: Problem): Promise<void> {
  const state = c.get("state");
  const [, slug] = SCHOOL.exec(c.req.path) ?? [];
  const origin = c.req.header("Origin");
  if (slug === undefined || origin === undefined || code === "origin_not_allowed") return;
  // Where the origins cannot be looked up, the refusal stands as it is. Whom the limiter refused has nothing looked up.
  const mayRead = code !== "rate_limited";
  if (await companyAllows(c, slug, origin, mayRead).catch(() => false)) state.allowedOrigin = origin;
}

async function companyAllows(
  c: RequestContext,
  slug: string,
  origin: string,
  mayRead: boolean,
): Promise<boolean> {
  if (!isCompanySlug(slug)) return false;
  return isAllowedOrigin(origin, await findOrigins(directoryOf(c.env), slug, Date.now(), mayRead));
}
