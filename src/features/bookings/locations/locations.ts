import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { LocationCreate, LocationPatch } from "./schema.ts";
import { type LocationRow, selectLocations } from "./snapshot.ts";
import { locations } from "./tables.ts";

/** All locations, inactive ones too, newest first. */
export async function listLocationSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<LocationRow>> {
  const tail = sql`${locations.id} < ${idBelow(page)} ORDER BY ${locations.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectLocations(tail));
}

export async function getLocation(ctx: CallCtx, { id }: RecordParams): Promise<LocationRow> {
  return readOne(ctx, selectLocations(eq(locations.id, id)));
}

export function createLocation(ctx: WriteCtx, _params: unknown, body: LocationCreate): Promise<LocationRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(locations).values({
        ...columnsOf(body),
        operation: ctx.call.id,
        name: body.name,
        type: body.type,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectLocations(eq(locations.operation, ctx.call.id)),
  );
}

export function updateLocation(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: LocationPatch,
): Promise<LocationRow> {
  return atomic(
    ctx,
    [
      ctx.db
        .update(locations)
        .set({ ...columnsOf(patch), updatedAt: ctx.now })
        .where(here(id)),
      refuseIfNone("not_found"),
    ],
    selectLocations(eq(locations.id, id)),
  );
}

export function deleteLocation(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      ctx.db.update(locations).set({ deletedAt: ctx.now, updatedAt: ctx.now }).where(here(id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

function here(id: number): SQL | undefined {
  return and(eq(locations.id, id), isNull(locations.deletedAt));
}

/** Only what was sent: an undefined column is left as it is. */
function columnsOf(fields: Partial<LocationPatch>) {
  return {
    name: fields.name,
    type: fields.type,
    city: fields.city,
    state: fields.state,
    postcode: fields.postcode,
    latitude: fields.latitude,
    longitude: fields.longitude,
    operatingHours: fields.operating_hours,
    isActive: fields.is_active === undefined ? undefined : Number(fields.is_active),
  };
}
