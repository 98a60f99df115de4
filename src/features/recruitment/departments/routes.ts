import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import {
  createDepartment,
  deleteDepartment,
  getDepartment,
  listDepartmentSettings,
  renderDepartmentSettings,
  updateDepartment,
} from "./departments.ts";
import { departmentExample, departmentSettingsExample } from "./examples.ts";
import { listDepartments } from "./list-departments.ts";
import { Department, DepartmentCreate, DepartmentPatch, DepartmentSettings } from "./schema.ts";

export const departmentRoutes = new Router("Recruitment").all(
  {
    id: "listDepartments",
    method: "get",
    path: "/recruitment/:company/departments",
    summary: "List departments",
    description: "The active ones, by name.",
    scope: "job_openings.read",
    result: Department,
    example: { result: departmentExample },
    render: (row) => row,
  },
  listDepartments,
);

export const departmentSettingsRoutes = new Router("Settings: Jobs and departments")
  .list(
    {
      id: "listDepartmentSettings",
      method: "get",
      path: "/settings/:company/departments",
      summary: "List all departments",
      scope: "settings:read",
      result: DepartmentSettings,
      example: { result: departmentSettingsExample },
      render: renderDepartmentSettings,
      sort: (row) => [row.id],
    },
    listDepartmentSettings,
  )
  .add(
    {
      id: "createDepartment",
      method: "post",
      changes: [],
      path: "/settings/:company/departments",
      summary: "Add a department",
      scope: "settings:write",
      body: DepartmentCreate,
      result: DepartmentSettings,
      status: 201,
      problems: ["duplicate_name"],
      example: { body: { name: "After-sales" }, result: departmentSettingsExample },
      render: renderDepartmentSettings,
    },
    createDepartment,
  )
  .add(
    {
      id: "getDepartment",
      method: "get",
      path: "/settings/:company/departments/:id",
      summary: "Read a department",
      scope: "settings:read",
      params: RecordParams,
      result: DepartmentSettings,
      example: { result: departmentSettingsExample },
      render: renderDepartmentSettings,
    },
    getDepartment,
  )
  .add(
    {
      id: "updateDepartment",
      method: "patch",
      changes: [],
      path: "/settings/:company/departments/:id",
      summary: "Change a department",
      scope: "settings:write",
      params: RecordParams,
      body: DepartmentPatch,
      result: DepartmentSettings,
      problems: ["no_accepted_fields", "duplicate_name"],
      example: { body: { is_active: false }, result: { ...departmentSettingsExample, is_active: false } },
      render: renderDepartmentSettings,
    },
    updateDepartment,
  )
  .add(
    {
      id: "deleteDepartment",
      method: "delete",
      changes: [],
      path: "/settings/:company/departments/:id",
      summary: "Remove a department",
      description: "One that no job is in and no other is below.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 2, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteDepartment,
  );
