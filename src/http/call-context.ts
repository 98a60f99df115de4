import type { ControlCtx } from "#control/plane.ts";
import { planeOf } from "#control/plane.ts";
import { changeTimezone } from "#control/time-zone.ts";
import type { Actor, Company, Ctx } from "#platform/context.ts";
import { enterGate } from "#platform/coordination.ts";
import { Database } from "#platform/database.ts";
import type { Operation as Call } from "#platform/operation-memory.ts";
import { sha256Hex } from "#platform/secrets.ts";
import { Problem } from "#shared/problem.ts";
import { ulid } from "#shared/ulid.ts";
import { directoryOf } from "./environment.ts";
import type { Operation } from "./operation.ts";
import type { RequestContext } from "./state.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const BASE_PATH = /^\/(?:api\/)?v1(?=\/)/;
const ADMITTED = Promise.resolve({ admitted: true, limit: 0, remaining: 0, resetMs: 0 });
const PLATFORM_COMPANY: Company = {
  id: 0,
  slug: "",
  name: "",
  country: "IN",
  currency: "INR",
  timezone: "Asia/Kolkata",
};
const PLATFORM_ACTOR: Actor = { type: "platform", id: "platform", name: "platform" };

const TOKEN_BYTES = 32;

/** All that the verb of this call is given: its company's database, who calls, the time, and its place for a retry. */
export async function contextOf(c: RequestContext, operation: Operation): Promise<Ctx> {
  const { key, startedAt, requestId, admission } = c.get("state");
  const directory = directoryOf(c.env);
  const control = operation.database === "control";
  const company = key?.company ?? PLATFORM_COMPANY;
  const database = new Database(control || key === undefined ? directory.control : key.company.address);
  const ctx: Ctx = {
    company,
    actor: key === undefined ? PLATFORM_ACTOR : { type: key.type, id: key.clientId, name: key.name },
    db: database.build,
    database,
    now: startedAt + (key?.company.clockOffsetMs ?? 0),
    requestId,
    operation: await callOf(c, operation),
    admission: admission ?? ADMITTED,
    changeTimezone: (timezone) => changeTimezone(directory, company, timezone, startedAt),
    newId: () => ulid(startedAt),
    newToken,
  };
  if (!control) return ctx;
  const controlCtx: ControlCtx = { ...ctx, plane: planeOf(c.env, directory) };
  return controlCtx;
}

async function callOf(c: RequestContext, operation: Operation): Promise<Call> {
  const { id, key, body } = c.get("state");
  const auditPrefix = operation.database === "control" && key !== undefined ? `${key.company.slug}/` : "";
  const unkeyed: Call = {
    name: operation.id,
    id,
    scope: id,
    fingerprint: null,
    gate: Promise.resolve("run"),
    auditPrefix,
  };
  const idempotencyKey = c.req.header("Idempotency-Key");
  if (
    idempotencyKey === undefined ||
    operation.method === "get" ||
    operation.idempotent === false ||
    key === undefined
  ) {
    return unkeyed;
  }
  const value = idempotencyKey.replace(/^"(.*)"$/, "$1");
  if (!IDEMPOTENCY_KEY.test(value)) {
    throw new Problem("invalid_idempotency_key", {
      message: "The Idempotency-Key must be 1 to 255 printable ASCII characters",
    });
  }
  const path = c.req.path.replace(BASE_PATH, "");
  const place = [key.company.id, key.clientId, c.req.method, path, value].join("|");
  const [scope, fingerprint] = await Promise.all([sha256Hex(place), sha256Hex(body ?? new Uint8Array())]);
  return { ...unkeyed, scope, fingerprint, gate: enterGate(c.env.IDEMPOTENCY, scope) };
}

function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
