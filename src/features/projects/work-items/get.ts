import { and, eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "../schema.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./snapshot.ts";
import { workItems } from "./tables.ts";

export function getWorkItem(
  ctx: CallCtx,
  { project_id: projectId, id }: RecordParams,
): Promise<WorkItemDetailRow> {
  const here = sql`${and(eq(workItems.projectId, projectId), eq(workItems.id, id))}`;
  return readOne(ctx, selectWorkItem(ctx, here));
}
