import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { resource } from "#api/operations/resource.ts";
import { companyToday } from "#core/calendar.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { described, flag, from, instant } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import type { Some } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import type { Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { milestones } from "#tables/projects";
import { MILESTONE_STATUSES } from "../vocabulary.ts";
import { datesOutOfOrder, projectVerbs, WITHIN_PROJECT } from "../within-project.ts";

const LAST = "9999-12-31";
const dueOrder = sql`coalesce(${milestones.dueDate}, ${sql.raw(`'${LAST}'`)})`;

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  description: cleanMultilineText({ max: 20_000 }).nullable(),
  start_date: isoDate.nullable(),
  due_date: isoDate.nullable(),
  status: z.enum(MILESTONE_STATUSES),
  completed_date: isoDate.nullable().describe("Only if the status is completed. Default: today."),
});
const create = sent.partial().required({ name: true });
type Sent = Some<z.output<typeof create>>;

/** A milestone; whether it is overdue is set by `selectMilestones`, because a record's columns take no values. */
export const milestone = record(
  milestones,
  {
    id: z.int(),
    name: z.string(),
    description: z.string().nullable().describe("What is to be reached."),
    start_date: z.string().nullable(),
    due_date: z.string().nullable(),
    status: z.enum(MILESTONE_STATUSES).meta({ description: "The status as set." }),
    completed_date: z.string().nullable().describe("The day it was reached."),
    is_overdue: from(
      sql<number>`0`,
      described(flag, "Not completed, and due before today in the company's time zone."),
    ),
    created_at: instant,
    updated_at: instant,
  },
  "Milestone",
);

/** The SELECT of milestones, overdue as of a day of the company's; `tail` goes on after WHERE. */
function selectMilestones(today: string | SQL<string>, tail: SQL): SQL<RowOf<typeof milestone>> {
  const isOverdue = sql`${milestones.status} <> 'completed' AND coalesce(${milestones.dueDate} < ${today}, 0)`;
  return sql`SELECT json_set(${milestone.columns()}, '$.is_overdue', ${isOverdue}) AS snapshot
    FROM ${milestones} WHERE ${tail}`;
}

const { get: _, ...verbs } = projectVerbs({
  record: { table: milestones, select: (tail, ctx) => selectMilestones(companyToday(ctx), tail) },
  order: byDueDate,
  columns: (body: Sent, ctx, isNew) => ({
    ...columnsOf(milestones, body),
    status: body.status ?? (isNew ? "pending" : undefined),
    completedDate: completion(body, companyToday(ctx), isNew),
  }),
  refusals: {
    ...datesOutOfOrder("due_date"),
    completed_date_without_completed: () =>
      fieldProblem("completed_date", "not_completed", "needs the status completed"),
  },
});

/** By due date, those without one last. */
function byDueDate(page: Page): SQL {
  const [due, id] = page.after ?? ["", 0];
  // The first comparison is for the index: SQLite does not use one for a pair with an expression in it.
  return sql`${dueOrder} >= ${due ?? LAST} AND (${dueOrder}, ${milestones.id}) > (${due ?? LAST}, ${id})
    ORDER BY ${dueOrder}, ${milestones.id}`;
}

/**
 * Entering `completed` stamps today unless a date is sent; leaving it clears the date. Written against the stored row,
 * so that one UPDATE needs no read before it and cannot race.
 */
function completion(body: Sent, today: string, isNew: boolean): SQL<string> | string | null | undefined {
  if (body.status === undefined) return body.completed_date;
  if (body.status !== "completed") return body.completed_date ?? null;
  return (
    body.completed_date ?? (isNew ? today : sql<string>`coalesce(${milestones.completedDate}, ${today})`)
  );
}

/** The data of milestone events. */
export const milestoneResource = resource({
  name: "milestone",
  scope: "projects.read",
  record: milestone,
  select: ({ today }, id) => selectMilestones(today, sql`${milestones.id} = ${id}`),
});

export const milestoneRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  path: "/:project_id/milestones",
  ids: { one: "Milestone", list: "listMilestones" },
  words: ["a milestone", "milestones"],
  record: milestone,
  create,
  patch: patchOf(sent),
  verbs,
  sort: (row) => [row.due_date, row.id],
  changes: { update: ["milestone"] },
  notes: {
    list: { description: "By due date. Milestones without one come last." },
    create: { summary: "Create a milestone" },
    update: {
      description:
        "A change to `completed` sets `completed_date` to today if you do not send it. A change from `completed` clears the date.",
    },
  },
});
