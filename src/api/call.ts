import type { Operation } from "#api/operations/operation.ts";
import type { Call } from "#core/context.ts";
import { enterGate } from "#core/coordination.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { Problem } from "#shared/problem.ts";
import type { RequestContext } from "./request-state.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const BASE_PATH = /^\/(?:api\/)?v1(?=\/)/;

/** A call of which nothing is known from before, and which no other waits for. */
export function unkeyed(name: string, id: string): Call {
  const gate = Promise.resolve("run" as const);
  return {
    name,
    id,
    idempotencyRecordKey: id,
    fingerprint: null,
    gate,
    isUpdate: false,
    isDryRun: false,
    auditPrefix: "",
  };
}

/** The call of a request: one thing with all others of its Idempotency-Key, unless it is a dry run. Throws 400 for a wrong key. */
export async function callOf(c: RequestContext, operation: Operation): Promise<Call> {
  const { id, key, body } = c.get("state");
  const auditPrefix = operation.database === "control" && key !== undefined ? `${key.company.slug}/` : "";
  const isUpdate = operation.method === "patch" || operation.method === "put";
  const { dry_run: isDryRun = false }: { dry_run?: boolean } = c.req.valid("query" as never) ?? {};
  const call: Call = { ...unkeyed(operation.id, id), isUpdate, isDryRun, auditPrefix };
  if (isDryRun) return call;
  const idempotencyKey = c.req.header("Idempotency-Key");
  if (idempotencyKey === undefined || operation.method === "get" || operation.idempotent === false) {
    return call;
  }
  const value = idempotencyKey.replace(/^"(.*)"$/, "$1");
  if (!IDEMPOTENCY_KEY.test(value)) {
    throw new Problem("invalid_idempotency_key", {
      message: "The Idempotency-Key must be 1 to 255 printable ASCII characters",
    });
  }
  const path = c.req.path.replace(BASE_PATH, "");
  const caller = key === undefined ? ["platform"] : [key.company.id, key.clientId];
  const place = [...caller, c.req.method, path, value].join("|");
  const [idempotencyRecordKey, fingerprint] = await Promise.all([
    sha256Hex(place),
    sha256Hex(body ?? new Uint8Array()),
  ]);
  return {
    ...call,
    idempotencyRecordKey,
    fingerprint,
    gate: enterGate(c.env.IDEMPOTENCY, idempotencyRecordKey),
  };
}
