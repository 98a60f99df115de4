import { Router } from "#api/operations/operation.ts";
import { ProjectParams, RecordParams } from "../schema.ts";
import { createArea } from "./create.ts";
import { listAreas } from "./list.ts";
import { area } from "./record.ts";
import { AreaCreate, AreaPatch } from "./schema.ts";
import { updateArea } from "./update.ts";

const areaExample = { id: 4, parent_id: null, name: "Checkout", path: "Checkout" };

export const areaRoutes = new Router("Projects")
  .list(
    {
      id: "listAreas",
      method: "get",
      path: "/projects/:company/projects/:project_id/areas",
      summary: "List areas",
      description: "A tree as a flat list, oldest first, each with its `path`.",
      scope: "projects.read",
      params: ProjectParams,
      result: area.schema,
      envelope: "success",
      example: { result: areaExample },
      render: area.render,
      sort: (row) => [row.id],
    },
    listAreas,
  )
  .add(
    {
      id: "createArea",
      method: "post",
      changes: [],
      path: "/projects/:company/projects/:project_id/areas",
      summary: "Create an area",
      scope: "projects.write",
      params: ProjectParams,
      body: AreaCreate,
      result: area.schema,
      envelope: "success",
      status: 201,
      problems: ["parent_not_in_project", "duplicate_name"],
      example: { body: { name: "Checkout" }, result: areaExample },
      render: area.render,
    },
    createArea,
  )
  .add(
    {
      id: "updateArea",
      method: "patch",
      changes: [],
      path: "/projects/:company/projects/:project_id/areas/:id",
      summary: "Rename or move an area",
      description: "A move includes everything below. A move under itself is refused.",
      scope: "projects.write",
      params: RecordParams,
      body: AreaPatch,
      result: area.schema,
      envelope: "success",
      problems: ["no_accepted_fields", "parent_not_in_project", "cycle", "duplicate_name"],
      example: { body: { parent_id: null }, result: areaExample },
      render: area.render,
    },
    updateArea,
  );
