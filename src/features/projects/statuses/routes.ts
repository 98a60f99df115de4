import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { Status, StatusCreate, StatusPatch } from "./schema.ts";
import { renderStatus } from "./snapshot.ts";
import { createStatus, deleteStatus, getStatus, listStatuses, updateStatus } from "./statuses.ts";

const statusExample = {
  id: 8,
  slug: "ready_for_test",
  name: "Ready for test",
  category: "in_progress" as const,
  position: 8,
  is_default: false,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const workItemStatusRoutes = new Router("Settings: Work-item statuses")
  .list(
    {
      id: "listWorkItemStatuses",
      method: "get",
      path: "/settings/:company/work-item-statuses",
      summary: "List the work-item statuses",
      scope: "settings:read",
      result: Status,
      example: { result: statusExample },
      render: renderStatus,
      sort: (row) => [row.id],
    },
    listStatuses,
  )
  .add(
    {
      id: "createWorkItemStatus",
      method: "post",
      changes: [],
      path: "/settings/:company/work-item-statuses",
      summary: "Add a work-item status",
      scope: "settings:write",
      body: StatusCreate,
      result: Status,
      status: 201,
      problems: ["conflict", "duplicate_name"],
      example: { body: { name: "Ready for test", category: "in_progress" }, result: statusExample },
      render: renderStatus,
    },
    createStatus,
  )
  .add(
    {
      id: "getWorkItemStatus",
      method: "get",
      path: "/settings/:company/work-item-statuses/:id",
      summary: "Read a work-item status",
      scope: "settings:read",
      params: RecordParams,
      result: Status,
      example: { result: statusExample },
      render: renderStatus,
    },
    getStatus,
  )
  .add(
    {
      id: "updateWorkItemStatus",
      method: "patch",
      changes: [],
      path: "/settings/:company/work-item-statuses/:id",
      summary: "Change a work-item status",
      description: "Items in it show its new name. Its category is fixed while there are any (409 `in_use`).",
      scope: "settings:write",
      params: RecordParams,
      body: StatusPatch,
      result: Status,
      problems: ["no_accepted_fields", "duplicate_name", "in_use"],
      example: { body: { position: 4 }, result: { ...statusExample, position: 4 } },
      render: renderStatus,
    },
    updateStatus,
  )
  .add(
    {
      id: "deleteWorkItemStatus",
      method: "delete",
      changes: [],
      path: "/settings/:company/work-item-statuses/:id",
      summary: "Remove a work-item status",
      description: "Refused while a work item is in it, and while it is the status of new items.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 8, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteStatus,
  );
