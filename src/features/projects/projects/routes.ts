import { Router } from "#api/operations/operation.ts";
import { ProjectParams } from "../schema.ts";
import { createProject } from "./create.ts";
import { getProject, listProjects } from "./list.ts";
import { project } from "./record.ts";
import { ProjectCreate, ProjectPatch } from "./schema.ts";
import { updateProject } from "./update.ts";

const projectExample = {
  id: 3,
  name: "Web shop relaunch",
  code: "WSR",
  description: null,
  status: "active" as const,
  open_items: 0,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const projectRoutes = new Router("Projects")
  .list(
    {
      id: "listProjects",
      method: "get",
      path: "/projects/:company/projects",
      summary: "List projects",
      description: "Newest first.",
      scope: "projects.read",
      result: project.schema,
      envelope: "success",
      example: { result: projectExample },
      render: project.render,
      sort: (row) => [row.id],
    },
    listProjects,
  )
  .add(
    {
      id: "createProject",
      method: "post",
      changes: [],
      path: "/projects/:company/projects",
      summary: "Create a project",
      description:
        "Without a `code`, the API derives one from the name, and adds a number if it is taken. If you send a `code` that is taken, the answer is 409.",
      scope: "projects.write",
      body: ProjectCreate,
      result: project.schema,
      envelope: "success",
      status: 201,
      problems: ["duplicate_project_code"],
      example: { body: { name: "Web shop relaunch", code: "WSR" }, result: projectExample },
      render: project.render,
    },
    createProject,
  )
  .add(
    {
      id: "getProject",
      method: "get",
      path: "/projects/:company/projects/:project_id",
      summary: "Read a project",
      scope: "projects.read",
      params: ProjectParams,
      result: project.schema,
      envelope: "success",
      example: { result: projectExample },
      render: project.render,
    },
    getProject,
  )
  .add(
    {
      id: "updateProject",
      method: "patch",
      changes: [],
      path: "/projects/:company/projects/:project_id",
      summary: "Change a project",
      description: "The `code` can change only until the first work item has a reference.",
      scope: "projects.write",
      params: ProjectParams,
      body: ProjectPatch,
      result: project.schema,
      envelope: "success",
      problems: ["no_accepted_fields", "duplicate_project_code"],
      example: { body: { status: "archived" }, result: { ...projectExample, status: "archived" as const } },
      render: project.render,
    },
    updateProject,
  );
