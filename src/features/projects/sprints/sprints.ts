import { sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import { columnsOf } from "#core/sql/columns.ts";
import type { Some } from "#core/write/collection.ts";
import { idBelow } from "#shared/page.ts";
import { sprints } from "#tables/projects";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import { RecordParams } from "../schema.ts";
import { projectVerbs, WITHIN_PROJECT } from "../within-project.ts";
import { getBurndown } from "./burndown.ts";
import { completeSprint } from "./complete.ts";
import { SPRINT_REFUSALS, sprint } from "./record.ts";
import { Burndown, BurndownQuery, SprintComplete, SprintCreate, SprintPatch } from "./schema.ts";
import { startSprint } from "./start.ts";

export const sprintRoutes = new Router("Projects", "/projects", { record: sprint, params: RecordParams })
  .collection({
    ...WITHIN_PROJECT,
    path: "/:project_id/sprints",
    ids: { one: "Sprint", list: "listSprints" },
    words: ["a sprint", "sprints"],
    record: sprint,
    create: SprintCreate,
    patch: SprintPatch,
    verbs: projectVerbs({
      record: sprint,
      order: (page) => sql`${sprints.id} < ${idBelow(page)} ORDER BY ${sprints.id} DESC`,
      guards: requireProjectReferences,
      columns: (body: Some<SprintCreate>) => columnsOf(sprints, body),
      refusals: { ...PROJECT_REFERENCE_REFUSALS, ...SPRINT_REFUSALS },
    }),
    problems: { update: ["invalid_status"] },
    notes: {
      list: { description: "Newest first." },
      create: {
        summary: "Create a sprint",
        description: "The new sprint is planned. Work items join it by their `sprint_id`.",
      },
      update: {
        description:
          "For a completed sprint, only `name` and `goal` can change. Other fields are 409 `invalid_status`.",
      },
    },
  })
  .post({ startSprint }, "/:project_id/sprints/:id/start", {
    changes: ["sprint", "work_item"],
    summary: "Start a sprint",
    description: "The sprint needs both dates. A project can have at most one active sprint.",
    problems: ["validation_failed", "invalid_status", "active_sprint_exists"],
  })
  .post({ completeSprint }, "/:project_id/sprints/:id/complete", {
    changes: ["sprint", "work_item"],
    summary: "Complete a sprint",
    description:
      "Items that are neither completed nor removed move to the sprint `move_open_to`. Without it, they have no sprint. The body is optional. Totals and chart do not change after this.",
    body: SprintComplete,
    problems: ["invalid_status"],
  })
  .get({ getSprintBurndown: getBurndown }, "/:project_id/sprints/:id/burndown", {
    summary: "Read a sprint's burn-down",
    description:
      "Only completed work lowers the chart. Removed work leaves the scope on the day of its removal, and reopened work returns on the day it is reopened.",
    query: BurndownQuery,
    record: { schema: Burndown, render: (chart) => chart },
  });
