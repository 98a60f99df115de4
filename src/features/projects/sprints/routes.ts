import { Router } from "#contract/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { workItemResource } from "../work-items/resource.ts";
import { getBurndown } from "./burndown.ts";
import { completeSprint } from "./complete.ts";
import { createSprint } from "./create.ts";
import { burndownExample, newSprintExample, sprintExample } from "./examples.ts";
import { getSprint, listSprints } from "./list.ts";
import { sprintResource } from "./resource.ts";
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
      description: "Planned; work items join it by their `sprint_id`.",
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
      description: "Of a completed sprint only `name` and `goal`: the rest is a 409 `invalid_status`.",
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
      changes: [sprintResource, workItemResource],
      path: "/projects/:company/projects/:project_id/sprints/:id/start",
      summary: "Start a sprint",
      description: "It needs both dates, and a project has one active sprint at most.",
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
      changes: [sprintResource, workItemResource],
      path: "/projects/:company/projects/:project_id/sprints/:id/complete",
      summary: "Complete a sprint",
      description:
        "What is neither completed nor removed moves to the sprint `move_open_to`, or without one to none; the body may be left away. Totals and chart stay as they are now.",
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
        "Only completed work burns; removed work leaves the scope on its day, reopened work comes back on its own.",
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
