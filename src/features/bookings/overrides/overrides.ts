import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { dateTime, described, flag, from, nullable } from "#core/sql/fields.ts";
import { selectId } from "#core/sql/json.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { clockTime, endTime } from "#shared/fields/clock-time.ts";
import { DeletedNumber, type RecordParams, recordId, renderDeletedNumber } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { isoDate } from "#shared/time/dates.ts";
import { instructorOverrides, instructors } from "#tables/bookings";
import {
  affectedLessons,
  renderAffected,
  type WithAffected,
  withAffected,
} from "../instructors/affected-lessons.ts";
import { schoolClock } from "../instructors/record.ts";

const sent = z.object({
  date: isoDate,
  is_available: z.boolean().meta({
    description:
      "True: works at these times instead of the week's. False: does not work at these times; without times, all day.",
  }),
  start: clockTime.nullable().default(null),
  end: endTime.nullable().default(null),
  note: cleanText({ max: 255 }).nullable().default(null).describe("For staff: why."),
});
const create = sent
  .refine(({ start, end }) => (start === null) === (end === null), {
    path: ["end"],
    error: "and start are sent together",
  })
  .refine(({ start, end }) => start === null || end === null || start < end, {
    path: ["end"],
    error: "must be after start",
  })
  .refine(({ is_available: available, start }) => !available || start !== null, {
    path: ["start"],
    error: "is required where the instructor is available",
  });
const OverrideParams = z.object({ id: recordId, override_id: recordId });
type OverrideParams = z.infer<typeof OverrideParams>;

/** A date on which an instructor's times differ from the week. */
const override = record(
  instructorOverrides,
  {
    id: z.int(),
    instructor_id: z.int(),
    date: z.string().describe("The day that differs from the usual week."),
    is_available: described(
      flag,
      "True: works at these times instead of the week's; false: does not work at them.",
    ),
    start: from(instructorOverrides.startMinute, described(nullable(schoolClock), "Null for the whole day.")),
    end: from(instructorOverrides.endMinute, described(nullable(schoolClock), "Null for the whole day.")),
    note: z.string().nullable().describe("For staff: why."),
    created_at: dateTime,
  },
  "Override",
);
type OverrideRow = RowOf<typeof override>;

export const overrideStaffRoutes = new Router("Settings: Instructors", "/instructors", { record: override })
  .list({ listOverrides }, "/:id/overrides", {
    summary: "List an instructor's overrides",
    description: "Dates that differ from the working week.",
  })
  .create({ createOverride }, "/:id/overrides", {
    summary: "Add an override",
    description:
      "If available, these times replace the week on that date. If not available, the instructor is away at these times, or without times on the whole date. The answer lists the affected lessons. They stay booked.",
    dryRun: true,
    body: create,
    record: {
      schema: override.schema.extend(affectedLessons).meta({ id: "CreatedOverride" }),
      render: (row) => ({ ...override.render(row), ...renderAffected(row) }),
    },
  })
  .get(
    { getOverride: (ctx, params) => readOne(ctx, override.select(here(params))) },
    "/:id/overrides/:override_id",
    {
      summary: "Read an override",
      params: OverrideParams,
    },
  )
  .delete({ deleteOverride }, "/:id/overrides/:override_id", {
    summary: "Remove an override",
    description:
      "The answer lists the coming lessons outside the instructor's times after the removal. They stay booked.",
    params: OverrideParams,
    dryRun: true,
    record: {
      schema: DeletedNumber.extend(affectedLessons).meta({ id: "DeletedOverride" }),
      render: (row) => ({ ...renderDeletedNumber(row), ...renderAffected(row) }),
    },
  });

/** An instructor's overrides, newest first. */
async function listOverrides(
  ctx: CallCtx,
  { id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<OverrideRow>> {
  const { id: overrideId, instructorId } = instructorOverrides;
  const tail = sql`${instructorId} = ${id} AND ${overrideId} < ${idBelow(page)}
    ORDER BY ${overrideId} DESC LIMIT ${page.take}`;
  return readListOf(ctx, selectInstructor(id), page, override.select(tail));
}

/** Adds a date that differs from the week, and returns the lessons of that date which it affects. */
function createOverride(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  { start: startMinute, end: endMinute, ...body }: z.infer<typeof create>,
): Promise<WithAffected<OverrideRow>> {
  const made = override.select(eq(instructorOverrides.operation, ctx.call.id));
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (${selectInstructor(id)})`, "not_found"),
      ctx.db.insert(instructorOverrides).values({
        operation: ctx.call.id,
        instructorId: id,
        ...columnsOf(instructorOverrides, body),
        startMinute,
        endMinute,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    withAffected(ctx, id, made, body.date),
  );
}

/** Removes it, and returns the coming lessons that do not fit the instructor's week, which applies again. */
function deleteOverride(
  ctx: WriteCtx & OutsideCtx,
  params: OverrideParams,
): Promise<WithAffected<{ id: number }>> {
  return atomic(
    ctx,
    [ctx.db.delete(instructorOverrides).where(here(params)), refuseIfNone("not_found")],
    withAffected(ctx, params.id, selectId(params.override_id)),
  );
}

function selectInstructor(id: number): SQL {
  return sql`SELECT 1 FROM ${instructors} WHERE ${instructors.id} = ${id} AND ${instructors.deletedAt} IS NULL`;
}

function here({ id, override_id: overrideId }: OverrideParams): SQL {
  return sql`${and(eq(instructorOverrides.id, overrideId), eq(instructorOverrides.instructorId, id))}`;
}
