import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { createWorkItem, workItemIds } from "./create.ts";
import { getWorkItem, listWorkItems } from "./read.ts";
import { workItem, workItemDetail } from "./record.ts";
import { WorkItemCreate, WorkItemPatch, WorkItemQuery, WorkItemTransition } from "./schema.ts";
import { transitionWorkItem } from "./transition.ts";
import { changeByOwnId, updateWorkItem } from "./update.ts";

export const workItemRoutes = new Router("Projects", "/projects", {
  record: workItemDetail,
  params: RecordParams,
})
  .list({ listWorkItems }, "/:project_id/work-items", {
    summary: "List work items",
    description:
      "Items that match all filters, newest first. With `updated_since`, in the order of the changes, for a client that keeps a copy.",
    params: ProjectParams,
    query: WorkItemQuery,
    record: { schema: workItem.schema.meta({ id: "WorkItem" }), render: workItem.render },
    sort: (row) => [row.updated_at, row.id],
  })
  .create({ createWorkItem }, "/:project_id/work-items", {
    changes: ["work_item"],
    summary: "Create a work item",
    description:
      "`type` selects the kind. The project issues the `reference`. Without `status` or `state`, the item gets the company's default status.",
    params: ProjectParams,
    body: WorkItemCreate,
    takesBlanks: true,
    externalIds: {
      ...workItemIds,
      change: {
        by: changeByOwnId,
        problems: ["cycle"],
        note: "A `state` or `status` that you send moves the item.",
      },
    },
    problems: ["invalid_status", "unknown_state", "parent_not_in_project"],
    version: "shown",
  })
  .get({ getWorkItem }, "/:project_id/work-items/:id", {
    summary: "Read a work item",
    description: "With `status_history`: each change of state, and the time in the previous state.",
    version: "shown",
  })
  .patch({ updateWorkItem }, "/:project_id/work-items/:id", {
    changes: ["work_item"],
    summary: "Change a work item",
    description:
      "Only the fields you send change; null clears a field. Use a transition to change the state.",
    body: WorkItemPatch,
    takesBlanks: true,
    problems: ["parent_not_in_project", "cycle", "version_conflict"],
    version: "checked",
  })
  .post({ transitionWorkItem }, "/:project_id/work-items/:id/transition", {
    changes: ["work_item", "comment"],
    summary: "Move a work item to a state",
    description:
      "Name a configured status by its slug or its name, or any state together with its category. A move to `completed` sets `finished_at`; a move from it clears it. A move to the current state changes nothing.",
    body: WorkItemTransition,
    problems: ["unknown_state", "version_conflict"],
    version: "checked",
  });
