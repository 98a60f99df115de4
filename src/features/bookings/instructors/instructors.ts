import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { jsonQuery, parseRows, selectId } from "#core/sql/json.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { requireReceiverRights } from "#features/notifications";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { takesTime } from "../availability/taken-time.ts";
import { bookings } from "../bookings/tables.ts";
import { fieldSettings } from "../fields/fields.ts";
import { locations } from "../locations/tables.ts";
import { type WithAffected, withAffected } from "./affected-lessons.ts";
import { checkCustomFields } from "./custom-fields.ts";
import type { InstructorCreate, InstructorPatch, SchedulePut } from "./schema.ts";
import { type InstructorRow, selectInstructors } from "./snapshot.ts";
import { instructors } from "./tables.ts";

const REFUSALS: Refusals = {
  location_gone: () => fieldProblem("location_ids", "not_found", "names a location that is not there"),
};

/** All instructors, inactive ones too, newest first. */
export async function listInstructorSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<InstructorRow>> {
  const tail = sql`${instructors.id} < ${idBelow(page)} ORDER BY ${instructors.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectInstructors(tail));
}

export async function getInstructor(ctx: CallCtx, { id }: RecordParams): Promise<InstructorRow> {
  return readOne(ctx, selectInstructors(eq(instructors.id, id)));
}

export async function createInstructor(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  body: InstructorCreate,
): Promise<InstructorRow> {
  if (body.email != null || body.phone != null) requireReceiverRights(ctx, "instructor");
  await requireCustomFields(ctx, body.custom_fields);
  return atomic(
    ctx,
    [
      ...requireLocations(body.location_ids),
      ctx.db.insert(instructors).values({
        ...columnsOf(body),
        name: body.name,
        transmission: body.transmission,
        languages: JSON.stringify(body.languages ?? []),
        serviceAreas: JSON.stringify(body.service_areas ?? []),
        locationIds: JSON.stringify(body.location_ids ?? []),
        customFields: JSON.stringify(body.custom_fields ?? {}),
        isActive: Number(body.is_active ?? true),
        schedule: JSON.stringify(body.schedule ?? []),
        operation: ctx.call.id,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectInstructors(eq(instructors.operation, ctx.call.id)),
    REFUSALS,
  );
}

export async function updateInstructor(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  patch: InstructorPatch,
): Promise<WithAffected<InstructorRow>> {
  const changesReceiver = patch.email !== undefined || patch.phone !== undefined;
  if (changesReceiver) requireReceiverRights(ctx, "instructor");
  await requireCustomFields(ctx, patch.custom_fields);
  const instructor = selectInstructors(eq(instructors.id, id));
  const row = await atomic(
    ctx,
    [
      ...requireLocations(patch.location_ids),
      ctx.db
        .update(instructors)
        .set({ ...columnsOf(patch), updatedAt: ctx.now })
        .where(here(id)),
      refuseIfNone("not_found"),
    ],
    patch.is_active === false ? withAffected(ctx, id, instructor) : instructor,
    REFUSALS,
  );
  if (changesReceiver && !ctx.call.isDryRun) ctx.queueNotifications();
  return row;
}

/** Replaces the working week. */
export function putSchedule(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  { schedule }: SchedulePut,
): Promise<WithAffected<InstructorRow>> {
  return atomic(
    ctx,
    [
      ctx.db
        .update(instructors)
        .set({ schedule: JSON.stringify(schedule), updatedAt: ctx.now })
        .where(here(id)),
      refuseIfNone("not_found"),
    ],
    withAffected(ctx, id, selectInstructors(eq(instructors.id, id))),
  );
}

export function deleteInstructor(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const upcoming = sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.instructorId} = ${id}
    AND ${bookings.startAt} > ${ctx.now} AND ${takesTime(ctx.now)})`;
  return atomic(
    ctx,
    [
      refuseWhen(upcoming, "in_use"),
      ctx.db.update(instructors).set({ deletedAt: ctx.now, updatedAt: ctx.now }).where(here(id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

function here(id: number): SQL | undefined {
  return and(eq(instructors.id, id), isNull(instructors.deletedAt));
}

async function requireCustomFields(ctx: CallCtx, values: InstructorPatch["custom_fields"]): Promise<void> {
  if (values === undefined) return;
  const [rows] = await read(ctx, [jsonQuery(ctx, fieldSettings.select(sql`true`))]);
  checkCustomFields(values, parseRows(rows));
}

function requireLocations(ids: readonly number[] | undefined): SQL[] {
  if (ids === undefined || ids.length === 0) return [];
  const live = sql`SELECT ${locations.id} FROM ${locations} WHERE ${locations.deletedAt} IS NULL`;
  const missing = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(ids)}) WHERE value NOT IN (${live}))`;
  return [refuseWhen(missing, "location_gone")];
}

/** Only what was sent: an undefined column is left as it is. */
function columnsOf(fields: Partial<InstructorPatch>) {
  return {
    name: fields.name,
    email: fields.email,
    phone: fields.phone,
    gender: fields.gender,
    nationality: fields.nationality,
    languages: text(fields.languages),
    transmission: fields.transmission,
    carMake: fields.car_make,
    carModel: fields.car_model,
    bio: fields.bio,
    photoUrl: fields.photo_url,
    serviceAreas: text(fields.service_areas),
    locationIds: text(fields.location_ids),
    customFields: text(fields.custom_fields),
    isActive: fields.is_active === undefined ? undefined : Number(fields.is_active),
  };
}

function text(value: object | undefined): string | undefined {
  return value && JSON.stringify(value);
}
