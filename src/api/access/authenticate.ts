import { admit, requireAdmission } from "#core/coordination.ts";
import { addressGroup } from "#shared/network/address-group.ts";
import { Problem } from "#shared/problem.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { findKey, type KeyRecord } from "#tenancy/directory.ts";
import { CLIENT_ID, hashSecret, isWellFormedSecret } from "#tenancy/keys/key-format.ts";
import { directoryOf } from "../environment.ts";
import type { RequestContext } from "../request-state.ts";
import { isAllowedOrigin, requestOrigin } from "./origins.ts";

/** Which keys an operation takes: publishable ones only where `any`. */
export type AcceptedKeys = "secret" | "any";

const FAILURES_PER_ADDRESS = 600;
const FAILURES_PER_KEY = 30;
const NO_DIGEST = "0".repeat(64);
const encoder = new TextEncoder();

/**
 * Steps 1 to 5 of every call: credentials, key, company, kind of key, origin. Throws 401, 404 or 403, the same answer
 * whatever part of the credentials is wrong.
 */
export async function authenticate(c: RequestContext, accepted: AcceptedKeys): Promise<KeyRecord> {
  const clientId = c.req.header("X-Client-Id");
  const secret = c.req.header("X-Client-Secret");
  const publishable = clientId?.startsWith("pk_") === true;
  if (clientId === undefined || (!publishable && secret === undefined)) return fail(c, "missing_credentials");
  if (!CLIENT_ID.test(clientId) || (!publishable && !isWellFormedSecret(secret ?? "")))
    return fail(c, "invalid_credentials");

  const now = c.get("state").startedAt;
  const key = await findKey(directoryOf(c.env), clientId, now);
  const live = key !== null && (key.expiresAt === null || key.expiresAt > now + key.company.clockOffsetMs);
  const proven = publishable || (await provesSecret(key, secret ?? "", now));
  if (!live || !proven) return fail(c, "invalid_credentials", key?.clientId);

  const company = c.req.param("company") ?? "";
  if (!isCompanySlug(company) || key.company.slug !== company) throw new Problem("company_not_found");
  if (key.company.status !== "active") throw new Problem("company_suspended");
  if (key.type === "publishable") {
    if (accepted === "secret") return fail(c, "secret_key_required");
    requireOrigin(c, key);
  }
  c.get("state").key = key;
  return key;
}

function requireOrigin(c: RequestContext, key: KeyRecord): void {
  const origin = requestOrigin(c.req.raw.headers);
  if (origin === null || !isAllowedOrigin(origin, key.allowedOrigins))
    throw new Problem("origin_not_allowed");
  const header = c.req.header("Origin");
  if (header !== undefined) c.get("state").allowedOrigin = header;
}

async function provesSecret(key: KeyRecord | null, secret: string, now: number): Promise<boolean> {
  const digest = await hashSecret(secret);
  const previousLives =
    key?.previousSecretExpiresAt != null && key.previousSecretExpiresAt > now + key.company.clockOffsetMs;
  // An unknown key costs the same comparisons as a known one.
  const current = equalDigests(digest, key?.secretHash ?? NO_DIGEST);
  const previous = equalDigests(digest, key?.previousSecretHash ?? NO_DIGEST);
  return current || (previousLives && previous);
}

function equalDigests(one: string, other: string): boolean {
  return crypto.subtle.timingSafeEqual(encoder.encode(one), encoder.encode(other));
}

type Refusal = "missing_credentials" | "invalid_credentials" | "secret_key_required";

/** Counts the failure against the client's address, and refuses with 429 when there were too many. */
async function fail(c: RequestContext, code: Refusal, clientId?: string): Promise<never> {
  const quota =
    clientId === undefined
      ? { name: "any", limit: FAILURES_PER_ADDRESS }
      : { name: clientId, limit: FAILURES_PER_KEY };
  const admission = admit(
    c.env.RATE_LIMITER,
    `failures:${clientAddress(c)}`,
    [quota],
    c.get("state").startedAt,
  );
  await requireAdmission(admission);
  throw new Problem(code);
}

/** The address of a visitor of the client's site: the first that the client itself forwards, not what the edge adds. */
export function visitorAddress(c: RequestContext): string | null {
  const [first = ""] = (c.req.header("X-Forwarded-For") ?? "").split(",");
  const address = first.trim();
  return address === "" || address === edgeAddress(c) ? null : address;
}

/** The client's address as limits count it: an IPv6 one by its /64. */
export function clientAddress(c: RequestContext): string {
  return addressGroup(edgeAddress(c));
}

/** The address of the client as the edge saw it. */
function edgeAddress(c: RequestContext): string {
  return c.req.header("CF-Connecting-IP") ?? "unknown";
}
