import { sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import type { Listed, Page } from "#shared/page.ts";
import type { ProjectParams } from "../schema.ts";
import { listInProject } from "../within-project.ts";
import { dueOrder, type MilestoneRow, selectMilestones } from "./snapshot.ts";
import { milestones } from "./tables.ts";

const LAST = "9999-12-31";

/** The milestones of a project by due date, those without one last. */
export function listMilestones(
  ctx: CallCtx,
  { project_id: projectId }: ProjectParams,
  { page }: { page: Page },
): Promise<Listed<MilestoneRow>> {
  const [due, id] = page.after ?? ["", 0];
  // The first comparison is for the index: SQLite does not use one for a pair with an expression in it.
  const tail = sql`${milestones.projectId} = ${projectId}
    AND ${dueOrder} >= ${due ?? LAST} AND (${dueOrder}, ${milestones.id}) > (${due ?? LAST}, ${id})
    ORDER BY ${dueOrder}, ${milestones.id} LIMIT ${page.take}`;
  return listInProject(ctx, projectId, page, selectMilestones(companyToday(ctx), tail));
}
