import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { collectionVerbs, type Some } from "#core/write/collection.ts";
import { read } from "#core/write/replay.ts";
import { DeletedNumber, type RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { fieldProblem } from "#shared/problem.ts";
import { bookings, instructors, locations } from "#tables/bookings";
import { takesTime } from "../availability/taken-time.ts";
import { fieldSettings } from "../fields/fields.ts";
import { affectedLessons, renderAffected, type WithAffected, withAffected } from "./affected-lessons.ts";
import { checkCustomFields } from "./custom-fields.ts";
import { type InstructorRow, instructor } from "./record.ts";
import { InstructorCreate, InstructorPatch, SchedulePut } from "./schema.ts";

const ChangedInstructor = instructor.schema.extend(affectedLessons).meta({ id: "ChangedInstructor" });
const REFUSALS: Refusals = {
  location_gone: () => fieldProblem("location_ids", "not_found", "names a location that is not there"),
};

const instructorVerbs = collectionVerbs({
  record: instructor,
  create: InstructorCreate,
  columns: storedColumns,
  guards: ({ location_ids: ids }) => requireLocations(ids),
  usedBy: (id, { now }) => sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.instructorId} = ${id}
    AND ${bookings.startAt} > ${now} AND ${takesTime(now)})`,
  refusals: REFUSALS,
});

export const instructorStaffRoutes = new Router("Settings: Instructors", "/instructors", {
  record: {
    schema: ChangedInstructor,
    render: (row: WithAffected<InstructorRow>) => ({ ...instructor.render(row), ...renderAffected(row) }),
  },
})
  .collection({
    ids: { one: "Instructor", list: "listInstructorSettings" },
    words: ["an instructor", "all instructors"],
    record: instructor,
    create: InstructorCreate,
    verbs: { list: instructorVerbs.list, get: instructorVerbs.get, create: createInstructor },
    notes: {
      create: {
        description:
          "To send `email` or `phone`, the key also needs `settings:read` or `diary:read`, because lessons are sent to them.",
      },
    },
  })
  .patch({ updateInstructor }, "/:id", {
    summary: "Change an instructor",
    description:
      "If you switch an instructor off, the answer lists the coming lessons. They stay booked. To change `email` or `phone`, the key also needs `settings:read` or `diary:read`, because lessons are sent to them. The old address gets a notice.",
    dryRun: true,
    body: InstructorPatch,
  })
  .delete({ deleteInstructor: instructorVerbs.remove }, "/:id", {
    summary: "Remove an instructor",
    description: "Refused while the instructor has coming bookings.",
    record: { schema: DeletedNumber, render: renderDeletedNumber },
    problems: ["in_use"],
  })
  .put({ putSchedule }, "/:id/schedule", {
    summary: "Set an instructor's working week",
    description:
      "Replaces the whole week. A day can have several windows. The answer lists the coming lessons outside the new week. They stay booked.",
    dryRun: true,
    body: SchedulePut,
  });

async function createInstructor(
  ctx: WriteCtx & OutsideCtx,
  params: unknown,
  body: InstructorCreate,
): Promise<InstructorRow> {
  const receivers = (["email", "phone"] as const).filter((name) => body[name] != null);
  requireSettingRights(ctx, "instructors", receivers);
  await requireCustomFields(ctx, body.custom_fields);
  return instructorVerbs.create(ctx, params, body);
}

async function updateInstructor(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  patch: InstructorPatch,
): Promise<WithAffected<InstructorRow>> {
  requireSettingRights(ctx, "instructors", Object.keys(patch));
  await requireCustomFields(ctx, patch.custom_fields);
  const changed = instructor.select(eq(instructors.id, id));
  return atomic(
    ctx,
    [...requireLocations(patch.location_ids), ...change(ctx, id, storedColumns(patch, false))],
    patch.is_active === false ? withAffected(ctx, id, changed) : changed,
    REFUSALS,
  );
}

/** Replaces the working week. */
function putSchedule(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  { schedule }: SchedulePut,
): Promise<WithAffected<InstructorRow>> {
  return atomic(
    ctx,
    change(ctx, id, { schedule: JSON.stringify(schedule) }),
    withAffected(ctx, id, instructor.select(eq(instructors.id, id))),
  );
}

/** The statements that change an instructor who is not deleted. */
function change(ctx: WriteCtx, id: number, columns: Partial<ReturnType<typeof storedColumns>>) {
  const here = and(eq(instructors.id, id), isNull(instructors.deletedAt));
  const set = { ...columns, updatedAt: ctx.now };
  return [ctx.db.update(instructors).set(set).where(here), refuseIfNone("not_found")];
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

/** Only what was sent; a new instructor has empty lists in place of what was not. */
function storedColumns(body: Some<InstructorCreate>, isNew: boolean) {
  const { languages, service_areas, location_ids, custom_fields, schedule, ...others } = body;
  const none = isNew ? "[]" : undefined;
  return {
    ...columnsOf(instructors, isNew ? { is_active: true, ...others } : others),
    languages: text(languages) ?? none,
    serviceAreas: text(service_areas) ?? none,
    locationIds: text(location_ids) ?? none,
    customFields: text(custom_fields) ?? (isNew ? "{}" : undefined),
    schedule: text(schedule) ?? none,
  };
}

function text(value: object | undefined): string | undefined {
  return value && JSON.stringify(value);
}
