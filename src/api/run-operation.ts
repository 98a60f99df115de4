import { type Envelope, mayBeKept, type Operation } from "#api/operations/operation.ts";
import { type CursorPlace, pagingOf, readPage } from "#api/operations/paging.ts";
import type { Actor, Call, Ctx } from "#core/context.ts";
import { enterGate, leaveGate, requireAdmission } from "#core/coordination.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { VISITOR_HEADER } from "#core/visitor-token.ts";
import { isNew } from "#core/write/create-or-change.ts";
import { AlreadyDone, ofThisCallOnly } from "#core/write/replay.ts";
import type { Listed, SortKey } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { settingOf } from "#shared/settings.ts";
import { type ControlCtx, planeOf } from "#tenancy/context.ts";
import { isAllowedOrigin } from "./access/allowed-origin.ts";
import { auditedMembers } from "./audited-members.ts";
import { ADMITTED, newContext, unkeyed } from "./call-context.ts";
import { directoryOf, environmentOf, masterKeysOf } from "./environment.ts";
import { versionIn, versionTag } from "./etag.ts";
import { answerAgain, withExternalId } from "./external-ids.ts";
import { type BoundedCompany, reserve, reserveCeiling } from "./messaging-quota.ts";
import { servePage } from "./pages/documents.ts";
import { keptAnswer, type Place, placeOf } from "./replies/kept-answers.ts";
import { cacheableReply, fileReply, jsonReply, taggedReply } from "./replies/replies.ts";
import { wireOf } from "./replies/wire.ts";
import { clientAddress, pathOf, type RequestContext, visitorAddress } from "./request-state.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const PLATFORM_COMPANY: BoundedCompany = {
  id: 0,
  slug: "",
  name: "",
  country: "IN",
  currency: "INR",
  timezone: "Asia/Kolkata",
  messagesCeiling: null,
};
const PLATFORM_ACTOR: Actor = { type: "platform", id: "platform", name: "platform" };

type Verb = (ctx: Ctx, params: unknown, input: unknown) => Promise<unknown>;
type Render = (row: unknown, ctx: Ctx) => unknown;
type Validated = { param: unknown; query: Record<string, unknown>; json: unknown };

/** The last step of the chain: the verb, its row rendered and parsed by the reply's schema, and the envelope. */
export async function run(c: RequestContext, operation: Operation): Promise<Response> {
  const { cacheControl } = operation;
  const place = placeOf(c, operation);
  const known = place && keptAnswer(place);
  if (known !== undefined && cacheControl !== undefined) {
    await requireAdmission(c.get("state").admission ?? ADMITTED);
    return taggedReply(c, known, cacheControl);
  }
  const params = validated(c, "param") ?? {};
  const ctx = await withExternalId(c, operation, contextOf(c, operation, await callOf(c, operation)));
  if (operation.page !== undefined && c.req.query("format") === "html") {
    const page = await operation.page(ctx as never, params as never, c.req.valid("query" as never));
    await requireAdmission(ctx.admission);
    return servePage(c, page, { "Cache-Control": "private, no-store" });
  }
  if (typeof operation.list === "function") return runPage(c, operation, ctx, params, operation.list, place);
  const input = {
    ...queryOf(c),
    ...(operation.method === "get" ? {} : Object(validated(c, "json"))),
    ...(operation.version === "checked" ? versionIn(c.req.header("If-Match")) : {}),
  };
  const verb = operation.verb as Verb;
  const { row, replayed } = await runOnce(c, ctx, () =>
    verb(ctx, params, input).catch((error) => answerAgain(operation, ctx, input, error)),
  );
  await requireAdmission(ctx.admission);
  if (operation.envelope === "file") return fileReply(c, row as StoredFile);
  const record =
    operation.list === "all"
      ? await renderAll(c, operation, ctx, row as unknown[])
      : wireOf(c, operation, await (operation.render as Render)(row, ctx));
  const body = wrap(operation.envelope, record);
  if (cacheControl !== undefined && mayBeKept(operation)) return cacheableReply(c, body, cacheControl, place);
  const status = operation.externalIds?.changes && !isNew(row) ? 200 : operation.status;
  return jsonReply(c, status, body, {
    ...(cacheControl === undefined ? {} : { "Cache-Control": cacheControl }),
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
    ...(operation.version === undefined ? {} : { ETag: versionTag(record) }),
  });
}

/** The call of a request: one thing with all others of its Idempotency-Key, unless it is a dry run. Throws 400 for a wrong key. */
async function callOf(c: RequestContext, operation: Operation): Promise<Call> {
  const { id, key, body } = c.get("state");
  const isOfControl = operation.database === "control";
  const auditPrefix = isOfControl && key !== undefined ? `${key.company.slug}/` : "";
  const setting = isOfControl ? undefined : settingOf(operation.path);
  const { dry_run: isDryRun = false }: { dry_run?: boolean } = c.req.valid("query" as never) ?? {};
  const call: Call = {
    ...unkeyed(operation.id, id),
    ...{ auditedMembers: auditedMembers(operation), isDryRun, auditPrefix, setting },
  };
  if (isDryRun) return call;
  const idempotencyKey = c.req.header("Idempotency-Key");
  if (idempotencyKey === undefined || operation.method === "get" || operation.idempotent === false) {
    return call;
  }
  const value = idempotencyKey.replace(/^"(.*)"$/, "$1");
  if (!IDEMPOTENCY_KEY.test(value)) {
    throw new Problem("invalid_idempotency_key", {
      message: "The Idempotency-Key must be 1 to 255 printable ASCII characters without spaces",
    });
  }
  const path = pathOf(c);
  const caller = key === undefined ? ["platform"] : [key.company.id, key.clientId];
  const place = [...caller, c.req.method, path, value].join("|");
  const [idempotencyRecordKey, digest] = await Promise.all([
    sha256Hex(place),
    sha256Hex(body ?? new Uint8Array()),
  ]);
  const query = JSON.stringify(queryOf(c));
  return {
    ...call,
    idempotencyRecordKey,
    fingerprint: query === "{}" ? digest : `${digest} ${query}`,
    gate: enterGate(c.env.IDEMPOTENCY, idempotencyRecordKey, id),
  };
}

/** The query as its verb gets it. */
function queryOf(c: RequestContext): Record<string, unknown> {
  const { dry_run: _, ...query } = validated(c, "query") ?? {};
  return query;
}

/** All that the verb of this call is given: its company's database, who calls, the time, and its place for a retry. */
function contextOf(c: RequestContext, operation: Operation, call: Call): Ctx {
  const { key, startedAt, requestId, admission } = c.get("state");
  const control = operation.database === "control";
  const ctx = newContext(environmentOf(c), {
    company: key?.company ?? PLATFORM_COMPANY,
    owner: control ? undefined : key?.company,
    actor: key === undefined ? PLATFORM_ACTOR : { type: key.type, id: key.clientId, name: key.name },
    now: startedAt + (key?.company.clockOffsetMs ?? 0),
    requestId,
    call,
    changes: { names: operation.changes, render: operation.render },
    admission: admission ?? ADMITTED,
    client: {
      address: clientAddress(c),
      visitor: visitorAddress(c),
      visitorToken: c.req.header(VISITOR_HEADER) ?? null,
      allowsOrigin: (origin) => key?.type === "secret" || isAllowedOrigin(origin, key?.allowedOrigins ?? []),
      holds: (scope) => key?.type === "secret" && key.scopes.has(scope),
    },
    reserveQuota: (cost, spent, spentByAll) => reserve(c, cost, spent, spentByAll),
    reserveCeiling: (cost, spentByAll) => reserveCeiling(c, cost, spentByAll),
  });
  if (!control) return ctx;
  const controlCtx: ControlCtx = { ...ctx, plane: planeOf(c.env, directoryOf(c.env), key?.company) };
  return controlCtx;
}

async function runPage(
  c: RequestContext,
  operation: Operation,
  ctx: Ctx,
  params: unknown,
  sortKey: (row: never) => SortKey,
  place?: Place,
): Promise<Response> {
  const { limit, cursor, ...filters } = validated(c, "query") as { limit: number; cursor?: string };
  const cursorPlace: CursorPlace = {
    companyId: ctx.company.id,
    list: `${operation.id} ${JSON.stringify(params)}`,
    filters,
  };
  const keys = masterKeysOf(c.env);
  const page = await readPage(keys, cursorPlace, { limit, cursor });
  const listed = (await (operation.verb as Verb)(ctx, params, { ...filters, page })) as Listed<never>;
  await requireAdmission(ctx.admission);
  const paging = await pagingOf(c.env.MASTER_KEY, cursorPlace, listed, sortKey);
  const data = await renderAll(c, operation, ctx, listed.rows);
  const body = { ...(wrap(operation.envelope, data) as object), paging };
  if (operation.cacheControl !== undefined) return cacheableReply(c, body, operation.cacheControl, place);
  return jsonReply(c, operation.status, body);
}

type Performed = { row: unknown; replayed: boolean };

/** Runs a verb; where the call has a key, the next call with it goes on once this one has ended. */
export async function runOnce(c: RequestContext, ctx: Ctx, verb: () => Promise<unknown>): Promise<Performed> {
  const { fingerprint, id, idempotencyRecordKey, gate } = ctx.call;
  let done = false;
  try {
    const row = await verb();
    done = true;
    return { row, replayed: false };
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw fingerprint === null ? error : ofThisCallOnly(error);
    done = true;
    return { row: error.row, replayed: !ctx.call.isDryRun };
  } finally {
    if (fingerprint !== null) {
      const leave = gate.then((answer) =>
        answer === "run" ? leaveGate(c.env.IDEMPOTENCY, idempotencyRecordKey, id, done) : undefined,
      );
      c.executionCtx.waitUntil(leave);
    }
  }
}

async function renderAll(
  c: RequestContext,
  operation: Operation,
  ctx: Ctx,
  rows: readonly unknown[],
): Promise<unknown[]> {
  const records: unknown[] = [];
  for (const row of rows) {
    const record = (operation.render as Render)(row, ctx);
    records.push(wireOf(c, operation, record instanceof Promise ? await record : record));
  }
  return records;
}

function wrap(envelope: Envelope, record: unknown): unknown {
  if (envelope === "data") return { data: record };
  if (envelope === "success") return { success: true, data: record };
  return typeof envelope === "string" ? record : { success: true, [envelope.success]: record };
}

function validated<Target extends keyof Validated>(
  c: RequestContext,
  target: Target,
): Validated[Target] | undefined {
  return c.req.valid(target as never);
}
