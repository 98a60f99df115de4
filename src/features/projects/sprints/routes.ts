import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { getBurndown } from "./burndown.ts";
import { completeSprint } from "./complete.ts";
import { createSprint } from "./create.ts";
import { burndownExample, newSprintExample, sprintExample } from "./examples.ts";
import { getSprint, listSprints } from "./list.ts";
import { Burndown, BurndownQuery, Sprint, SprintComplete, SprintCreate, SprintPatch } from "./schema.ts";
import { renderSprint } from "./snapshot.ts";
import { startSprint } from "./start.ts";
import { updateSprint } from "./update.ts";

export const sprintRoutes = new Router("Projects")
  .list(
    {
      id: "listSprints",
      method: "get",
      path: "/projects/:company/projects/:project_id/sprints",
      summary: "List sprints",
      description: "Newest first.",
      scope: "projects.read",
      params: ProjectParams,
      result: Sprint,
      envelope: "success",
      example: { result: sprintExample },
      render: renderSprint,
      sort: (row) => [row.id],
    },
    listSprints,
  )
  .add(
    {
      id: "createSprint",
      method: "post",
      changes: [],
      path: "/projects/:company/projects/:project_id/sprints",
      summary: "Create a sprint",
      description: "The new sprint is planned. Work items join it by their `sprint_id`.",
      scope: "projects.write",
      params: ProjectParams,
      body: SprintCreate,
      result: Sprint,
      envelope: "success",
      status: 201,
      example: { body: newSprintExample, result: sprintExample },
      render: renderSprint,
    },
    createSprint,
  )
  .add(
    {
      id: "getSprint",
      method: "get",
      path: "/projects/:company/projects/:project_id/sprints/:id",
      summary: "Read a sprint",
      scope: "projects.read",
      params: RecordParams,
      result: Sprint,
      envelope: "success",
      example: { result: sprintExample },
      render: renderSprint,
    },
    getSprint,
  )
  .add(
    {
      id: "updateSprint",
      method: "patch",
      changes: [],
      path: "/projects/:company/projects/:project_id/sprints/:id",
      summary: "Change a sprint",
      description:
        "For a completed sprint, only `name` and `goal` can change. Other fields are 409 `invalid_status`.",
      scope: "projects.write",
      params: RecordParams,
      body: SprintPatch,
      result: Sprint,
      envelope: "success",
      problems: ["no_accepted_fields", "invalid_status"],
      example: { body: { goal: "Pay by UPI" }, result: sprintExample },
      render: renderSprint,
    },
    updateSprint,
  )
  .add(
    {
      id: "startSprint",
      method: "post",
      changes: ["sprint", "work_item"],
      path: "/projects/:company/projects/:project_id/sprints/:id/start",
      summary: "Start a sprint",
      description: "The sprint needs both dates. A project can have at most one active sprint.",
      scope: "projects.write",
      params: RecordParams,
      result: Sprint,
      envelope: "success",
      problems: ["validation_failed", "invalid_status", "active_sprint_exists"],
      example: {
        result: { ...sprintExample, status: "active" as const, started_at: "2026-11-23T04:00:00.000Z" },
      },
      render: renderSprint,
    },
    startSprint,
  )
  .add(
    {
      id: "completeSprint",
      method: "post",
      changes: ["sprint", "work_item"],
      path: "/projects/:company/projects/:project_id/sprints/:id/complete",
      summary: "Complete a sprint",
      description:
        "Items that are neither completed nor removed move to the sprint `move_open_to`. Without it, they have no sprint. The body is optional. Totals and chart do not change after this.",
      scope: "projects.write",
      params: RecordParams,
      body: SprintComplete,
      result: Sprint,
      envelope: "success",
      problems: ["invalid_status"],
      example: {
        body: { move_open_to: null },
        result: {
          ...sprintExample,
          status: "completed" as const,
          started_at: "2026-11-23T04:00:00.000Z",
          completed_at: "2026-12-04T12:30:00.000Z",
        },
      },
      render: renderSprint,
    },
    completeSprint,
  )
  .add(
    {
      id: "getSprintBurndown",
      method: "get",
      path: "/projects/:company/projects/:project_id/sprints/:id/burndown",
      summary: "Read a sprint's burn-down",
      description:
        "Only completed work lowers the chart. Removed work leaves the scope on the day of its removal, and reopened work returns on the day it is reopened.",
      scope: "projects.read",
      params: RecordParams,
      query: BurndownQuery,
      result: Burndown,
      envelope: "success",
      example: { result: burndownExample },
      render: (chart) => chart,
    },
    getBurndown,
  );
