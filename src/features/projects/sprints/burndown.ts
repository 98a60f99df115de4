import { and, eq, sql } from "drizzle-orm";
import { companyDate } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { read } from "#core/write/replay.ts";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { Problem } from "#shared/problem.ts";
import { sprintScopeLog, sprints } from "#tables/projects";
import type { RecordParams } from "../schema.ts";
import { chartOf, type Day } from "./chart.ts";
import type { Burndown, BurndownQuery } from "./schema.ts";

/** In every time zone, midnight is at the start of a quarter of an hour. */
const QUARTER_MS = 900_000;

/** A sprint day by day, from the log of its scope; without days while it has no dates. */
export async function getBurndown(
  ctx: CallCtx,
  { project_id: projectId, id }: RecordParams,
  { unit = "points" }: BurndownQuery,
): Promise<Burndown> {
  const inPoints = unit === "points";
  const quarter = sql<number>`${sprintScopeLog.at} / ${QUARTER_MS}`;
  const isCommitted = sql<number>`${sprintScopeLog.at} <= coalesce(${sprints.startedAt}, ${ctx.now})`;
  const [[sprint], rows] = await read(ctx, [
    ctx.db
      .select()
      .from(sprints)
      .where(and(eq(sprints.projectId, projectId), eq(sprints.id, id))),
    ctx.db
      .select({
        quarter,
        isCommitted,
        scope: sql<number>`sum(${inPoints ? sprintScopeLog.points : sprintScopeLog.items})`,
        completed: sql<number>`sum(${inPoints ? sprintScopeLog.completedPoints : sprintScopeLog.completedItems})`,
      })
      .from(sprintScopeLog)
      .innerJoin(sprints, eq(sprints.id, sprintScopeLog.sprintId))
      .where(eq(sprintScopeLog.sprintId, id))
      .groupBy(sql`1, 2`),
  ]);
  if (sprint === undefined) throw new Problem("not_found");
  const { startDate: start, endDate: end } = sprint;
  if (start === null || end === null) return { sprint_id: id, unit, days: [] };
  const dateOf = (epochMs: number) => companyDate(epochMs, ctx.company.timezone);
  const days = chartOf(
    {
      start,
      end,
      last: dateOf(sprint.completedAt ?? ctx.now),
      committed: rows.reduce((sum, row) => sum + row.isCommitted * (row.scope - row.completed), 0),
    },
    rows.map((row) => ({ ...row, date: dateOf(row.quarter * QUARTER_MS) })),
  );
  return { sprint_id: id, unit, days: inPoints ? days.map(inPointsOf) : days.map(rounded) };
}

function inPointsOf(day: Day): Day {
  const toWire = (amount: number | null) => (amount === null ? null : quantityToWire(amount));
  return rounded({
    ...day,
    remaining: toWire(day.remaining),
    completed: toWire(day.completed),
    scope: toWire(day.scope),
    ideal: day.ideal / 1_000,
  });
}

function rounded(day: Day): Day {
  return { ...day, ideal: Math.round(day.ideal * 100) / 100 };
}
