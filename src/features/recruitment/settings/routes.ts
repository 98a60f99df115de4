import { Router } from "#contract/operation.ts";
import { departmentSettingsExample, jobSettingsExample, newJobExample } from "../examples.ts";
import { renderJobSettings } from "../snapshot.ts";
import {
  createDepartment,
  deleteDepartment,
  getDepartment,
  listDepartmentSettings,
  renderDepartmentSettings,
  updateDepartment,
} from "./departments.ts";
import { createJob, deleteJob, getJobSettings, listJobSettings, updateJob } from "./jobs.ts";
import {
  DeletedRecord,
  DepartmentCreate,
  DepartmentPatch,
  DepartmentSettings,
  IdParams,
  JobCreate,
  JobPatch,
  JobSettings,
} from "./schema.ts";

export const jobSettingsRoutes = new Router("Settings: Jobs and departments")
  .list(
    {
      id: "listDepartmentSettings",
      method: "get",
      path: "/settings/:company/departments",
      summary: "List all departments",
      scope: "settings:read",
      result: DepartmentSettings,
      envelope: "data",
      status: 200,
      problems: [],
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
      path: "/settings/:company/departments",
      summary: "Add a department",
      scope: "settings:write",
      body: DepartmentCreate,
      result: DepartmentSettings,
      envelope: "data",
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
      params: IdParams,
      result: DepartmentSettings,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: departmentSettingsExample },
      render: renderDepartmentSettings,
    },
    getDepartment,
  )
  .add(
    {
      id: "updateDepartment",
      method: "patch",
      path: "/settings/:company/departments/:id",
      summary: "Change a department",
      scope: "settings:write",
      params: IdParams,
      body: DepartmentPatch,
      result: DepartmentSettings,
      envelope: "data",
      status: 200,
      problems: ["not_found", "no_accepted_fields", "duplicate_name"],
      example: { body: { is_active: false }, result: { ...departmentSettingsExample, is_active: false } },
      render: renderDepartmentSettings,
    },
    updateDepartment,
  )
  .add(
    {
      id: "deleteDepartment",
      method: "delete",
      path: "/settings/:company/departments/:id",
      summary: "Remove a department",
      description: "One that no job is in and no other is below.",
      scope: "settings:write",
      params: IdParams,
      result: DeletedRecord,
      envelope: "data",
      status: 200,
      problems: ["not_found", "in_use"],
      example: { result: { id: 2, deleted: true } },
      render: ({ id }) => ({ id, deleted: true as const }),
    },
    deleteDepartment,
  )
  .list(
    {
      id: "listJobSettings",
      method: "get",
      path: "/settings/:company/jobs",
      summary: "List all jobs",
      description: "Closed and unpublished ones too.",
      scope: "settings:read",
      result: JobSettings,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: jobSettingsExample },
      render: renderJobSettings,
      sort: (row) => [row.id],
    },
    listJobSettings,
  )
  .add(
    {
      id: "createJob",
      method: "post",
      path: "/settings/:company/jobs",
      summary: "Add a job",
      description: "It takes applications at once, where nothing else is said.",
      scope: "settings:write",
      body: JobCreate,
      result: JobSettings,
      envelope: "data",
      status: 201,
      problems: ["conflict"],
      example: { body: newJobExample, result: jobSettingsExample },
      render: renderJobSettings,
    },
    createJob,
  )
  .add(
    {
      id: "getJobSettings",
      method: "get",
      path: "/settings/:company/jobs/:id",
      summary: "Read any job",
      scope: "settings:read",
      params: IdParams,
      result: JobSettings,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: jobSettingsExample },
      render: renderJobSettings,
    },
    getJobSettings,
  )
  .add(
    {
      id: "updateJob",
      method: "patch",
      path: "/settings/:company/jobs/:id",
      summary: "Change a job",
      scope: "settings:write",
      params: IdParams,
      body: JobPatch,
      result: JobSettings,
      envelope: "data",
      status: 200,
      problems: ["not_found", "no_accepted_fields", "conflict"],
      example: { body: { status: "closed" }, result: { ...jobSettingsExample, status: "closed" } },
      render: renderJobSettings,
    },
    updateJob,
  )
  .add(
    {
      id: "deleteJob",
      method: "delete",
      path: "/settings/:company/jobs/:id",
      summary: "Remove a job",
      description: "One that nobody applied for; any other can be closed.",
      scope: "settings:write",
      params: IdParams,
      result: DeletedRecord,
      envelope: "data",
      status: 200,
      problems: ["not_found", "in_use"],
      example: { result: { id: 7, deleted: true } },
      render: ({ id }) => ({ id, deleted: true as const }),
    },
    deleteJob,
  );
