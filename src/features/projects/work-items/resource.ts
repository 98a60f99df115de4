import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { workItemDetailExample } from "./examples.ts";
import { WorkItemDetail } from "./schema.ts";
import { renderWorkItemDetail, selectWorkItem } from "./snapshot.ts";
import { workItems } from "./tables.ts";

/** The data of work item events: with the history, without internal notes. */
export const workItemResource = resource({
  name: "work_item",
  scope: "projects.read",
  record: WorkItemDetail,
  example: workItemDetailExample,
  select: (moment, id) => selectWorkItem(moment, sql`${workItems.id} = ${id}`),
  render: renderWorkItemDetail,
});
