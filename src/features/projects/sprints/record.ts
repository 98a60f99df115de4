import { sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { added, instant, internal, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { sprints } from "#tables/projects";
import { SPRINT_STATUSES } from "../vocabulary.ts";
import { datesOutOfOrder } from "../within-project.ts";

/** A sprint. */
export const sprint = record(
  sprints,
  {
    id: z.int(),
    name: z.string(),
    goal: z.string().nullable(),
    iteration_id: z.int().nullable(),
    status: z.enum(SPRINT_STATUSES),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    started_at: nullable(instant),
    completed_at: nullable(instant),
    items: internal(sprints.items),
    completed_items: internal(sprints.completedItems),
    points: internal(sprints.points),
    completed_points: internal(sprints.completedPoints),
    totals: added(
      z
        .object({
          items: z.int(),
          completed: z.int().describe("Of the items."),
          points: z.number().describe("Story points."),
          completed_points: z.number().describe("Story points of what is completed."),
        })
        .meta({ description: "Without removed items. For a completed sprint, the totals at its end." }),
      (row: Record<"items" | "completed_items" | "points" | "completed_points", number>) => ({
        items: row.items,
        completed: row.completed_items,
        points: quantityToWire(row.points),
        completed_points: quantityToWire(row.completed_points),
      }),
    ),
    created_at: instant,
    updated_at: instant,
  },
  "Sprint",
);
export type SprintRow = RowOf<typeof sprint>;

/** The data of sprint events. */
export const sprintResource = resource({
  name: "sprint",
  scope: "projects.read",
  record: sprint,
  select: (_ctx, id) => sprint.select(sql`${sprints.id} = ${id}`),
});

export const SPRINT_REFUSALS: Refusals = {
  ...datesOutOfOrder("end_date"),
  sprint_too_long: () => fieldProblem("end_date", "too_big", "must be at most 365 days after start_date"),
  sprint_dates_missing: () =>
    new Problem("validation_failed", {
      message: "A sprint that was started needs start_date and end_date",
      errors: ["start_date", "end_date"].map((field) => ({
        field,
        code: "required",
        message: "is required",
      })),
    }),
  sprint_completed: () =>
    new Problem("invalid_status", { message: "Of a completed sprint only name and goal can change" }),
  sprint_not_planned: () =>
    new Problem("invalid_status", { message: "Only a planned sprint can be started" }),
  sprint_not_active: () =>
    new Problem("invalid_status", { message: "Only an active sprint can be completed" }),
};
