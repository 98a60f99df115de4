import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { createWorkItem } from "./create.ts";
import {
  movedWorkItemExample,
  newWorkItemExample,
  workItemDetailExample,
  workItemExample,
} from "./examples.ts";
import { getWorkItem, listWorkItems } from "./read.ts";
import { workItem, workItemDetail } from "./record.ts";
import { WorkItemCreate, WorkItemPatch, WorkItemQuery, WorkItemTransition } from "./schema.ts";
import { transitionWorkItem } from "./transition.ts";
import { updateWorkItem } from "./update.ts";

export const workItemRoutes = new Router("Projects")
  .list(
    {
      id: "listWorkItems",
      path: "/projects/:company/projects/:project_id/work-items",
      summary: "List work items",
      description:
        "Items that match all filters, newest first. With `updated_since`, in the order of the changes, for a client that keeps a copy.",
      scope: "projects.read",
      params: ProjectParams,
      query: WorkItemQuery,
      result: workItem.schema.meta({ id: "WorkItem" }),
      envelope: "success",
      example: { result: workItemExample },
      render: workItem.render,
      sort: (row) => [row.updated_at, row.id],
    },
    listWorkItems,
  )
  .add(
    {
      id: "createWorkItem",
      method: "post",
      changes: ["work_item"],
      path: "/projects/:company/projects/:project_id/work-items",
      summary: "Create a work item",
      description:
        "`type` selects the kind. The project issues the `reference`. Without `status` or `state`, the item gets the company's default status.",
      scope: "projects.write",
      params: ProjectParams,
      body: WorkItemCreate,
      takesBlanks: true,
      record: workItemDetail,
      envelope: "success",
      status: 201,
      problems: ["invalid_status", "unknown_state", "parent_not_in_project"],
      example: { body: newWorkItemExample, result: workItemDetailExample },
      version: "shown",
    },
    createWorkItem,
  )
  .add(
    {
      id: "getWorkItem",
      method: "get",
      path: "/projects/:company/projects/:project_id/work-items/:id",
      summary: "Read a work item",
      description: "With `status_history`: each change of state, and the time in the previous state.",
      scope: "projects.read",
      params: RecordParams,
      record: workItemDetail,
      envelope: "success",
      example: { result: movedWorkItemExample },
      version: "shown",
    },
    getWorkItem,
  )
  .add(
    {
      id: "updateWorkItem",
      method: "patch",
      changes: ["work_item"],
      path: "/projects/:company/projects/:project_id/work-items/:id",
      summary: "Change a work item",
      description:
        "Only the fields you send change; null clears a field. Use a transition to change the state.",
      scope: "projects.write",
      params: RecordParams,
      body: WorkItemPatch,
      takesBlanks: true,
      record: workItemDetail,
      envelope: "success",
      problems: ["no_accepted_fields", "parent_not_in_project", "cycle", "version_conflict"],
      example: {
        body: { story_points: 8 },
        result: { ...workItemDetailExample, story_points: 8, version: 2 },
      },
      version: "checked",
    },
    updateWorkItem,
  )
  .add(
    {
      id: "transitionWorkItem",
      method: "post",
      changes: ["work_item", "comment"],
      path: "/projects/:company/projects/:project_id/work-items/:id/transition",
      summary: "Move a work item to a state",
      description:
        "Name a configured status by its slug or its name, or any state together with its category. A move to `completed` sets `finished_at`; a move from it clears it. A move to the current state changes nothing.",
      scope: "projects.write",
      params: RecordParams,
      body: WorkItemTransition,
      record: workItemDetail,
      envelope: "success",
      problems: ["unknown_state", "version_conflict"],
      example: {
        body: { status: "in_progress", comment: "Starting with the gateway." },
        result: movedWorkItemExample,
      },
      version: "checked",
    },
    transitionWorkItem,
  );
