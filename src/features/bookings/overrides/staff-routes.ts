import { Router } from "#api/operations/operation.ts";
import { RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { renderAffected } from "../instructors/affected-lessons.ts";
import { newOverrideExample, overrideExample } from "./examples.ts";
import { createOverride, deleteOverride, getOverride, listOverrides, renderOverride } from "./overrides.ts";
import { NewOverride, Override, OverrideCreate, OverrideParams, RemovedOverride } from "./schema.ts";

export const overrideStaffRoutes = new Router("Settings: Instructors")
  .list(
    {
      id: "listOverrides",
      method: "get",
      path: "/settings/:company/instructors/:id/overrides",
      summary: "List an instructor's overrides",
      description: "Dates that differ from the working week.",
      scope: "settings:read",
      params: RecordParams,
      result: Override,
      example: { result: overrideExample },
      render: renderOverride,
      sort: (row) => [row.id],
    },
    listOverrides,
  )
  .add(
    {
      id: "createOverride",
      method: "post",
      changes: [],
      path: "/settings/:company/instructors/:id/overrides",
      summary: "Add an override",
      description:
        "If available, these times replace the week on that date. If not available, the instructor is away at these times, or without times on the whole date. The answer lists the affected lessons. They stay booked.",
      scope: "settings:write",
      params: RecordParams,
      dryRun: true,
      body: OverrideCreate,
      result: NewOverride,
      status: 201,
      example: { body: newOverrideExample, result: overrideExample },
      render: renderOverride,
    },
    createOverride,
  )
  .add(
    {
      id: "getOverride",
      method: "get",
      path: "/settings/:company/instructors/:id/overrides/:override_id",
      summary: "Read an override",
      scope: "settings:read",
      params: OverrideParams,
      result: Override,
      example: { result: overrideExample },
      render: renderOverride,
    },
    getOverride,
  )
  .add(
    {
      id: "deleteOverride",
      method: "delete",
      changes: [],
      path: "/settings/:company/instructors/:id/overrides/:override_id",
      summary: "Remove an override",
      description:
        "The answer lists the coming lessons outside the instructor's times after the removal. They stay booked.",
      scope: "settings:write",
      params: OverrideParams,
      dryRun: true,
      result: RemovedOverride,
      example: { result: { id: 4, deleted: true } },
      render: (row) => ({ ...renderDeletedNumber(row), ...renderAffected(row) }),
    },
    deleteOverride,
  );
