import { Router } from "#contract/operation.ts";
import { workItemResource } from "#features/projects";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import {
  createEmployee,
  deleteEmployee,
  getEmployee,
  listEmployees,
  renderEmployee,
  updateEmployee,
} from "./employees.ts";
import { Employee, EmployeeCreate, EmployeePatch } from "./schema.ts";

const newEmployeeExample = { name: "Kavya Rao", employee_code: "E-014", designation: "Developer" };
const employeeExample = {
  ...newEmployeeExample,
  id: 4,
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const employeeRoutes = new Router("Settings: Employees")
  .list(
    {
      id: "listEmployees",
      method: "get",
      path: "/settings/:company/employees",
      summary: "List the employees",
      description: "Inactive ones too.",
      scope: "settings:read",
      result: Employee,
      example: { result: employeeExample },
      render: renderEmployee,
      sort: (row) => [row.id],
    },
    listEmployees,
  )
  .add(
    {
      id: "createEmployee",
      method: "post",
      changes: [],
      path: "/settings/:company/employees",
      summary: "Add an employee",
      scope: "settings:write",
      body: EmployeeCreate,
      result: Employee,
      status: 201,
      problems: ["conflict"],
      example: { body: newEmployeeExample, result: employeeExample },
      render: renderEmployee,
    },
    createEmployee,
  )
  .add(
    {
      id: "getEmployee",
      method: "get",
      path: "/settings/:company/employees/:id",
      summary: "Read an employee",
      scope: "settings:read",
      params: RecordParams,
      result: Employee,
      example: { result: employeeExample },
      render: renderEmployee,
    },
    getEmployee,
  )
  .add(
    {
      id: "updateEmployee",
      method: "patch",
      changes: [],
      path: "/settings/:company/employees/:id",
      summary: "Change an employee",
      scope: "settings:write",
      params: RecordParams,
      body: EmployeePatch,
      result: Employee,
      problems: ["no_accepted_fields", "conflict"],
      example: { body: { is_active: false }, result: { ...employeeExample, is_active: false } },
      render: renderEmployee,
    },
    updateEmployee,
  )
  .add(
    {
      id: "deleteEmployee",
      method: "delete",
      changes: [workItemResource],
      path: "/settings/:company/employees/:id",
      summary: "Remove an employee",
      description: "Refused while work is assigned to it; make it inactive instead.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 4, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteEmployee,
  );
