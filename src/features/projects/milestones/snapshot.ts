import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { milestones } from "./tables.ts";

const shape = {
  id: milestones.id,
  name: milestones.name,
  description: milestones.description,
  start_date: milestones.startDate,
  due_date: milestones.dueDate,
  status: milestones.status,
  completed_date: milestones.completedDate,
  created_at: milestones.createdAt,
  updated_at: milestones.updatedAt,
};
export type MilestoneRow = JsonRow<typeof shape> & { is_overdue: number };

/** What a milestone is listed by: those without a due date come last. */
export const dueOrder = sql<string>`coalesce(${milestones.dueDate}, '9999-12-31')`;

/** The SELECT of milestones, overdue as of a day of the company's; `tail` goes on after WHERE. */
export function selectMilestones(today: string | SQL<string>, tail: SQL): SQL<MilestoneRow> {
  const isOverdue = sql<number>`${milestones.status} <> 'completed' AND coalesce(${milestones.dueDate} < ${today}, 0)`;
  const columns = jsonObject({ ...shape, is_overdue: isOverdue });
  return sql`SELECT ${columns} AS snapshot FROM ${milestones} WHERE ${tail}`;
}

export function renderMilestone(row: MilestoneRow) {
  return {
    ...row,
    is_overdue: row.is_overdue === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
