import type { Handler, Hono, MiddlewareHandler } from "hono";
import { type Operation, scopesOf } from "#api/operations/operation.ts";
import { nameWork } from "#core/log.ts";
import { scopeProblem } from "#core/required-scope.ts";
import { Problem } from "#shared/problem.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { findKey, type KeyRecord, refreshKey } from "#tenancy/directory.ts";
import { CLIENT_ID, hashSecret, isWellFormedSecret } from "#tenancy/keys/key-format.ts";
import { recordUse } from "#tenancy/keys/last-used.ts";
import { admitAddress } from "./access/admit-address.ts";
import { isAllowedOrigin, originProblem, requestOrigin } from "./access/allowed-origin.ts";
import { credentialsProblem, type Refusal } from "./access/credentials-problem.ts";
import { authenticatePlatform } from "./access/platform-token.ts";
import { limit } from "./access/rate-limit.ts";
import { takeInput } from "./bodies/input.ts";
import { JSON_LIMIT, readBytes } from "./bodies/read-body.ts";
import { validate } from "./bodies/validate.ts";
import { directoryOf } from "./environment.ts";
import {
  ignoredParameters,
  parameterNames,
  refuseMissed,
  refusesUnknown,
  requireKnownParameters,
} from "./known-parameters.ts";
import { agentAdmission } from "./mcp/agent-calls.ts";
import type { App, RequestContext } from "./request-state.ts";
import { resourceOf } from "./resource-name.ts";
import { run } from "./run-operation.ts";
import { beginsOperation, refuseMethod } from "./unrouted.ts";

const FAILURES_PER_ADDRESS = 600;
const FAILURES_PER_KEY = 30;
const NO_DIGEST = "0".repeat(64);
const encoder = new TextEncoder();

/** Mounts every operation: each is the same chain of steps, driven by its literal. */
export function mount(app: Hono<App>, prefix: string, operations: readonly Operation[]): void {
  for (const operation of operations) {
    const available = operations.filter(({ path, planned }) => path === operation.path && !planned);
    const allow = available.map(({ method }) => method.toUpperCase()).join(", ");
    app.on(operation.method.toUpperCase(), prefix + operation.path, ...steps(app, operation, allow));
  }
}

function steps(app: Hono<App>, operation: Operation, allow: string): [Handler<App>, ...Handler<App>[]] {
  const chain: Handler<App>[] = [beginsOperation(begin(operation, allow), operation)];
  if (operation.params !== undefined)
    chain.push(validate("param", operation.params, (c) => refuseMethod(app, c)));
  chain.push(knowParameters(operation));
  if (operation.query !== undefined) chain.push(validate("query", operation.query));
  if (operation.body !== undefined) chain.push(...takeInput(operation, operation.body));
  else if (operation.method !== "get") chain.push(keepBody);
  chain.push((c) => run(c, operation));
  return chain as [Handler<App>, ...Handler<App>[]];
}

/** Who calls, how often, and with what right. */
function begin(operation: Operation, allow: string): MiddlewareHandler<App> {
  const resource = resourceOf(operation.path);
  return async (c, next) => {
    c.get("state").resource = resource;
    nameWork({ operation: operation.id });
    if (operation.scope === "platform") {
      await authenticatePlatform(c);
      nameWork({ company: companyNamed(c) });
      return next();
    }
    const named = operation.query?.shape.client_id && c.req.query("client_id");
    const key = await admitKey(c, operation.keys ?? "secret", c.req.param("company") ?? "", named);
    const anyOf = scopesOf(operation);
    if (key.type === "secret" && !anyOf.some((scope) => key.scopes.has(scope))) {
      throw scopeProblem(anyOf);
    }
    if (
      operation.method !== "get" &&
      agentAdmission(c.req.raw) !== undefined &&
      !key.scopes.has("mcp:write")
    ) {
      throw scopeProblem(["mcp:write"]);
    }
    if (operation.planned) throw plannedProblem(allow);
    return next();
  };
}

/**
 * Proves the key and counts the call in its limit. `company` is that of the address, null where it names none; `named` is
 * the key's id where no header has it.
 */
export async function admitKey(
  c: RequestContext,
  accepted: Refusal["accepted"],
  company: string | null,
  named?: string,
): Promise<KeyRecord> {
  const key = await authenticate(c, accepted, company, named);
  nameWork({ company: key.company.slug });
  const counted = agentAdmission(c.req.raw);
  if (counted === undefined) await limit(c, key);
  else c.get("state").admission = counted;
  const { startedAt } = c.get("state");
  const directory = directoryOf(c.env);
  const beside = [recordUse(directory, key, startedAt), refreshKey(directory, key.clientId, startedAt)];
  for (const work of beside) if (work !== undefined) c.executionCtx.waitUntil(work);
  return key;
}

/**
 * Steps 1 to 5 of every call: credentials, key, company, kind of key, origin. Throws 401, 404 or 403, the same answer
 * whatever part of the credentials is wrong.
 */
async function authenticate(
  c: RequestContext,
  accepted: Refusal["accepted"],
  company: string | null,
  named?: string,
): Promise<KeyRecord> {
  const clientId = c.req.header("X-Client-Id") ?? named;
  const secret = c.req.header("X-Client-Secret");
  const publishable = clientId?.startsWith("pk_") === true;
  if (clientId === undefined || (!publishable && secret === undefined))
    return fail(c, { code: "missing_credentials", accepted });
  const invalid = { code: "invalid_credentials", accepted } as const;
  if (!CLIENT_ID.test(clientId) || (!publishable && !isWellFormedSecret(secret ?? "")))
    return fail(c, invalid);

  const now = c.get("state").startedAt;
  // Where the control database fails, the address alone says whose call it is.
  nameWork({ company: companyNamed(c) });
  const key = await findKey(directoryOf(c.env), clientId, now);
  nameWork({ company: undefined });
  const live = key !== null && (key.expiresAt === null || key.expiresAt > now + key.company.clockOffsetMs);
  const proven = publishable || (await provesSecret(key, secret ?? "", now));
  if (!live || !proven) return fail(c, invalid, key?.clientId);

  const isOwn = company === null || (isCompanySlug(company) && key.company.slug === company);
  if (!isOwn) throw otherCompany();
  if (key.company.status !== "active") throw new Problem("company_suspended");
  if (key.type === "publishable") {
    if (accepted === "secret") return fail(c, { code: "secret_key_required", accepted });
    requireOrigin(c, key);
  }
  c.get("state").key = key;
  return key;
}

/** The company that the address names, whether there is one of that name or not. */
function companyNamed(c: RequestContext): string | undefined {
  const slug = c.req.param("company") ?? c.req.param("slug") ?? "";
  return isCompanySlug(slug) ? slug : undefined;
}

/** The 404 of an address with another company than the key's, whether that exists or not. */
function otherCompany(): Problem {
  const message = "The key belongs to no company of this name: check the company's slug in the address";
  return new Problem("company_not_found", { message });
}

function plannedProblem(allow: string): Problem {
  const message = `The operation is planned, not available: the address answers ${allow}`;
  return new Problem("operation_not_available", { message, headers: { Allow: allow } });
}

function requireOrigin(c: RequestContext, key: KeyRecord): void {
  const origin = requestOrigin(c.req.raw.headers);
  if (origin === null || !isAllowedOrigin(origin, key.allowedOrigins)) throw originProblem(origin);
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

/** Counts the failure against the client's address, and refuses with 429 when there were too many. */
async function fail(c: RequestContext, refusal: Refusal, clientId?: string): Promise<never> {
  const quota =
    clientId === undefined
      ? { name: "any", limit: FAILURES_PER_ADDRESS }
      : { name: clientId, limit: FAILURES_PER_KEY };
  await admitAddress(c, "failures", quota);
  throw credentialsProblem(c.req.raw.headers, refusal);
}

/** A body sent to an operation that takes none still counts in the fingerprint of its Idempotency-Key. */
const keepBody: MiddlewareHandler<App> = async (c, next) => {
  if (c.req.header("Idempotency-Key") !== undefined)
    c.get("state").body = await readBytes(c.req.raw, JSON_LIMIT);
  return next();
};

function knowParameters(operation: Operation): MiddlewareHandler<App> {
  const refuses = refusesUnknown(operation);
  return (c, next) => {
    const names = parameterNames(c.req.url);
    if (names.length === 0) return next();
    if (refuses) requireKnownParameters(operation, names);
    if (operation.method !== "get") refuseMissed(operation, names);
    const ignored = ignoredParameters(operation, names);
    if (ignored !== undefined) c.get("state").ignoredParameters = ignored;
    return next();
  };
}
