import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { createMilestone } from "./create.ts";
import { milestoneExample } from "./examples.ts";
import { listMilestones } from "./list.ts";
import { Milestone, MilestoneCreate, MilestonePatch } from "./schema.ts";
import { renderMilestone } from "./snapshot.ts";
import { updateMilestone } from "./update.ts";

export const milestoneRoutes = new Router("Projects")
  .list(
    {
      id: "listMilestones",
      method: "get",
      path: "/projects/:company/projects/:project_id/milestones",
      summary: "List milestones",
      description: "By due date. Milestones without one come last.",
      scope: "projects.read",
      params: ProjectParams,
      result: Milestone,
      envelope: "success",
      example: { result: milestoneExample },
      render: renderMilestone,
      sort: (row) => [row.due_date, row.id],
    },
    listMilestones,
  )
  .add(
    {
      id: "createMilestone",
      method: "post",
      changes: [],
      path: "/projects/:company/projects/:project_id/milestones",
      summary: "Create a milestone",
      scope: "projects.write",
      params: ProjectParams,
      body: MilestoneCreate,
      result: Milestone,
      envelope: "success",
      status: 201,
      example: { body: { name: "Payments go live", due_date: "2026-12-04" }, result: milestoneExample },
      render: renderMilestone,
    },
    createMilestone,
  )
  .add(
    {
      id: "updateMilestone",
      method: "patch",
      changes: ["milestone"],
      path: "/projects/:company/projects/:project_id/milestones/:id",
      summary: "Change a milestone",
      description:
        "A change to `completed` sets `completed_date` to today if you do not send it. A change from `completed` clears the date.",
      scope: "projects.write",
      params: RecordParams,
      body: MilestonePatch,
      result: Milestone,
      envelope: "success",
      problems: ["no_accepted_fields"],
      example: {
        body: { status: "completed" },
        result: { ...milestoneExample, status: "completed" as const, completed_date: "2026-12-03" },
      },
      render: renderMilestone,
    },
    updateMilestone,
  );
