import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { workItemDetailExample } from "./examples.ts";
import { WorkItemDetail } from "./schema.ts";
import { renderWorkItemDetail, selectWorkItem } from "./snapshot.ts";
import { workItems } from "./tables.ts";

/** What events tell of work items: with their history, without internal notes. */
export const workItemResource = resource({
  name: "work_item",
  scope: "projects.read",
  record: WorkItemDetail,
  example: workItemDetailExample,
  select: (ctx, id) => selectWorkItem(ctx, sql`${workItems.id} = ${id}`),
  render: renderWorkItemDetail,
});
