import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { createIteration } from "./create.ts";
import { listIterations } from "./list.ts";
import { iteration } from "./record.ts";
import { IterationCreate, IterationPatch } from "./schema.ts";
import { updateIteration } from "./update.ts";

const newIterationExample = {
  name: "Release 2",
  type: "release" as const,
  start_date: "2026-11-02",
  end_date: "2026-12-18",
};
const iterationExample = {
  ...newIterationExample,
  id: 5,
  project_id: 3,
  parent_id: null,
  path: "Release 2",
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const iterationRoutes = new Router("Projects")
  .list(
    {
      id: "listIterations",
      method: "get",
      path: "/projects/:company/projects/:project_id/iterations",
      summary: "List iterations",
      description: "A tree as a flat list, oldest first, each with its `path`.",
      scope: "projects.read",
      params: ProjectParams,
      result: iteration.schema,
      envelope: "success",
      example: { result: iterationExample },
      render: iteration.render,
      sort: (row) => [row.id],
    },
    listIterations,
  )
  .add(
    {
      id: "createIteration",
      method: "post",
      changes: [],
      path: "/projects/:company/projects/:project_id/iterations",
      summary: "Create an iteration",
      description: "Its dates may be outside its parent's.",
      scope: "projects.write",
      params: ProjectParams,
      body: IterationCreate,
      result: iteration.schema,
      envelope: "success",
      status: 201,
      problems: ["parent_not_in_project", "duplicate_name"],
      example: { body: newIterationExample, result: iterationExample },
      render: iteration.render,
    },
    createIteration,
  )
  .add(
    {
      id: "updateIteration",
      method: "patch",
      changes: [],
      path: "/projects/:company/projects/:project_id/iterations/:id",
      summary: "Change or move an iteration",
      description: "A move includes everything below. A move under itself is refused.",
      scope: "projects.write",
      params: RecordParams,
      body: IterationPatch,
      result: iteration.schema,
      envelope: "success",
      problems: ["no_accepted_fields", "parent_not_in_project", "cycle", "duplicate_name"],
      example: { body: { end_date: "2026-12-18" }, result: iterationExample },
      render: iteration.render,
    },
    updateIteration,
  );
