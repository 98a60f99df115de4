import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { lastFour } from "#shared/text/last-four.ts";
import { eventEndpoints as endpoints, eventDeliveries, eventEndpointTypes } from "#tables/events";
import { holdAll, releaseHeld, skipHeld } from "../deliveries/waiting.ts";
import type { Resources } from "../events.ts";
import { requireAddress } from "./address.ts";
import { keepWanted, keepWords } from "./asked-types.ts";
import { type EndpointRow, endpoint } from "./record.ts";
import { requireReads, requireReadsOf } from "./rights.ts";
import type { EndpointCreate, EndpointPatch, EndpointRotate } from "./schema.ts";
import { endpointSecrets, newSecret } from "./secret-kinds.ts";

const MOST = 10;

/** Has the company's events sent to an address from now on. */
export async function createEndpoint(
  ctx: Ctx,
  body: EndpointCreate,
  resources: Resources,
): Promise<EndpointRow> {
  requireReads(ctx, body.types, resources);
  await requireAddress(ctx, body.url);
  const operation = ctx.call.id;
  const secret = newSecret(ctx);
  const made = sql`SELECT ${endpoints.id} FROM ${endpoints} WHERE ${endpoints.operation} = ${operation}`;
  return atomic(
    ctx,
    [
      ctx.db.insert(endpoints).values({
        operation,
        url: body.url,
        description: body.description ?? "",
        types: JSON.stringify(body.types),
        disabledReason: body.is_active === false ? "by_hand" : null,
        encryptedSecret: await ctx.encrypt(endpointSecrets, operation, secret),
        secretLastFour: lastFour(secret),
        checkedAt: ctx.now,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      ...keepWords(made, body.types),
      ...keepWanted(),
    ],
    endpoint.select(eq(endpoints.operation, operation)),
    { limit_reached: tooMany },
  );
}

/** Changes an endpoint. One that is set active starts again: deliveries that waited meanwhile are skipped. */
export async function updateEndpoint(
  ctx: Ctx,
  resources: Resources,
  { id }: RecordParams,
  patch: EndpointPatch,
): Promise<EndpointRow> {
  await requireReadsOf(ctx, id, resources);
  requireReads(ctx, patch.types ?? [], resources);
  if (patch.url !== undefined) await requireAddress(ctx, patch.url);
  const here = eq(endpoints.id, id);
  return atomic(
    ctx,
    [
      ...(patch.is_active === true ? [skipHeld(ctx, id)] : []),
      ctx.db
        .update(endpoints)
        .set({
          url: patch.url,
          checkedAt: patch.url === undefined ? undefined : ctx.now,
          description: patch.description,
          types: patch.types && JSON.stringify(patch.types),
          ...activity(patch),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
      ...(patch.types === undefined ? [] : keepWords(sql`${id}`, patch.types)),
      ...(patch.is_active === true ? releaseHeld(ctx, sql`${id}`) : []),
      ...(patch.is_active === false ? [holdAll(ctx, sql`${id}`)] : []),
      ...keepWanted(),
    ],
    endpoint.select(here),
  );
}

function activity({ is_active: isActive }: EndpointPatch) {
  if (isActive === undefined) return {};
  const anew = { outcomes: "", failures: 0, failingSince: null, probes: 0, probeAt: 0 };
  if (isActive) return { disabledReason: null, ...anew };
  return { disabledReason: sql`coalesce(${endpoints.disabledReason}, 'by_hand')` as SQL<"by_hand"> };
}

/** Gives an endpoint a new secret. The previous one also signs during the overlap; an older one no longer does. */
export async function rotateEndpoint(
  ctx: Ctx,
  resources: Resources,
  { id }: RecordParams,
  { overlap_seconds: overlap }: EndpointRotate,
): Promise<EndpointRow> {
  const here = eq(endpoints.id, id);
  const { operation, types } = await readOne(ctx, endpoint.select(here));
  requireReads(ctx, types, resources);
  const secret = newSecret(ctx);
  const goesOn = overlap > 0;
  return atomic(
    ctx,
    [
      ctx.db
        .update(endpoints)
        .set({
          encryptedSecret: await ctx.encrypt(endpointSecrets, operation, secret),
          secretLastFour: lastFour(secret),
          previousEncryptedSecret: goesOn ? sql`${endpoints.encryptedSecret}` : null,
          previousSecretExpiresAt: goesOn ? ctx.now + overlap * 1_000 : null,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    endpoint.select(here),
  );
}

/** Removes an endpoint. What was to be sent to it is not; its log goes with the events. */
export async function deleteEndpoint(
  ctx: Ctx,
  resources: Resources,
  { id }: RecordParams,
): Promise<{ id: number }> {
  await requireReadsOf(ctx, id, resources);
  const isOpen = inArray(eventDeliveries.state, ["pending", "sending", "held"]);
  return atomic(
    ctx,
    [
      ctx.db.delete(endpoints).where(eq(endpoints.id, id)),
      refuseIfNone("not_found"),
      ctx.db.delete(eventEndpointTypes).where(eq(eventEndpointTypes.endpointId, id)),
      ctx.db
        .update(eventDeliveries)
        .set({ state: "skipped" })
        .where(sql`${eventDeliveries.endpointId} = ${id} AND ${isOpen}`),
      ...keepWanted(),
    ],
    selectId(id),
  );
}

function tooMany(): Problem {
  return new Problem("limit_reached", {
    message: `A company has ${MOST} event endpoints at most`,
    members: { limit: MOST },
  });
}
