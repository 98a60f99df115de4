import { type Envelope, mayBeKept, type Operation } from "#api/operations/operation.ts";
import { type CursorPlace, pagingOf, readPage } from "#api/operations/paging.ts";
import type { Ctx } from "#core/context.ts";
import { leaveGate, requireAdmission } from "#core/coordination.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { AlreadyDone, ofThisCallOnly } from "#core/write/replay.ts";
import type { Listed, SortKey } from "#shared/page.ts";
import { contextOf } from "./call-context.ts";
import { masterKeysOf } from "./environment.ts";
import { versionIn, versionTag } from "./etag.ts";
import { wireOf } from "./replies/fit-reply.ts";
import { cacheableReply, fileReply, jsonReply } from "./replies/replies.ts";
import type { RequestContext } from "./request-state.ts";

type Verb = (ctx: Ctx, params: unknown, input: unknown) => Promise<unknown>;
type Render = (row: unknown, ctx: Ctx) => unknown;
type Validated = { param: unknown; query: Record<string, unknown>; json: unknown };

/** The last step of the chain: the verb, its row rendered and parsed by the reply's schema, and the envelope. */
export async function run(c: RequestContext, operation: Operation): Promise<Response> {
  const ctx = await contextOf(c, operation);
  const params = validated(c, "param") ?? {};
  if (typeof operation.list === "function") return runPage(c, operation, ctx, params, operation.list);
  const input = {
    ...Object(validated(c, operation.method === "get" ? "query" : "json")),
    ...(operation.version === "checked" ? versionIn(c.req.header("If-Match")) : {}),
  };
  const { row, replayed } = await perform(c, operation, ctx, params, input);
  await requireAdmission(ctx.admission);
  if (operation.envelope === "file") return fileReply(c, row as StoredFile);
  const record =
    operation.list === "all"
      ? await renderAll(c, operation, ctx, row as unknown[])
      : await rendered(c, operation, ctx, row);
  const body = wrap(operation.envelope, record);
  const { cacheControl } = operation;
  if (cacheControl !== undefined && mayBeKept(operation)) return cacheableReply(c, body, cacheControl);
  return jsonReply(c, operation.status, body, {
    ...(cacheControl === undefined ? {} : { "Cache-Control": cacheControl }),
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
    ...(operation.version === undefined ? {} : { ETag: versionTag(record) }),
  });
}

async function runPage(
  c: RequestContext,
  operation: Operation,
  ctx: Ctx,
  params: unknown,
  sortKey: (row: never) => SortKey,
): Promise<Response> {
  const { limit, cursor, ...filters } = validated(c, "query") as { limit: number; cursor?: string };
  const place: CursorPlace = {
    companyId: ctx.company.id,
    list: `${operation.id} ${JSON.stringify(params)}`,
    filters,
  };
  const keys = masterKeysOf(c.env);
  const page = await readPage(keys, place, { limit, cursor });
  const listed = (await (operation.verb as Verb)(ctx, params, { ...filters, page })) as Listed<never>;
  await requireAdmission(ctx.admission);
  const paging = await pagingOf(c.env.MASTER_KEY, place, listed, sortKey);
  const data = await renderAll(c, operation, ctx, listed.rows);
  const body = { ...(wrap(operation.envelope, data) as object), paging };
  if (operation.cacheControl !== undefined) return cacheableReply(c, body, operation.cacheControl);
  return jsonReply(c, operation.status, body);
}

type Performed = { row: unknown; replayed: boolean };

function perform(
  c: RequestContext,
  operation: Operation,
  ctx: Ctx,
  params: unknown,
  input: unknown,
): Promise<Performed> {
  return runOnce(c, ctx, () => (operation.verb as Verb)(ctx, params, input));
}

/** Runs a verb; where the call has a key, the next call with it goes on once this one has ended. */
export async function runOnce(c: RequestContext, ctx: Ctx, verb: () => Promise<unknown>): Promise<Performed> {
  const { fingerprint, idempotencyRecordKey, gate } = ctx.call;
  let done = false;
  try {
    const row = await verb();
    done = true;
    return { row, replayed: false };
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw fingerprint === null ? error : ofThisCallOnly(error);
    done = true;
    return { row: error.row, replayed: true };
  } finally {
    if (fingerprint !== null) {
      const leave = gate.then((answer) =>
        answer === "run" ? leaveGate(c.env.IDEMPOTENCY, idempotencyRecordKey, done) : undefined,
      );
      c.executionCtx.waitUntil(leave);
    }
  }
}

async function rendered(c: RequestContext, operation: Operation, ctx: Ctx, row: unknown): Promise<unknown> {
  return wireOf(c, operation, await (operation.render as Render)(row, ctx));
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
