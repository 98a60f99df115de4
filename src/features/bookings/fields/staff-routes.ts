import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { fieldExample, fieldSettingsExample } from "./examples.ts";
import { createField, deleteField, getField, listFieldSettings, updateField } from "./fields.ts";
import { Field, FieldCreate, FieldPatch } from "./schema.ts";
import { renderField } from "./snapshot.ts";

export const fieldStaffRoutes = new Router("Settings: Instructor fields")
  .list(
    {
      id: "listFieldSettings",
      method: "get",
      path: "/settings/:company/instructor-fields",
      summary: "List all instructor fields",
      scope: "settings:read",
      result: Field,
      example: { result: fieldSettingsExample },
      render: renderField,
      sort: (row) => [row.id],
    },
    listFieldSettings,
  )
  .add(
    {
      id: "createField",
      method: "post",
      changes: [],
      path: "/settings/:company/instructor-fields",
      summary: "Add an instructor field",
      scope: "settings:write",
      body: FieldCreate,
      result: Field,
      status: 201,
      problems: ["duplicate_name"],
      example: { body: fieldExample, result: fieldSettingsExample },
      render: renderField,
    },
    createField,
  )
  .add(
    {
      id: "getField",
      method: "get",
      path: "/settings/:company/instructor-fields/:id",
      summary: "Read an instructor field",
      scope: "settings:read",
      params: RecordParams,
      result: Field,
      example: { result: fieldSettingsExample },
      render: renderField,
    },
    getField,
  )
  .add(
    {
      id: "updateField",
      method: "patch",
      changes: [],
      path: "/settings/:company/instructor-fields/:id",
      summary: "Change an instructor field",
      scope: "settings:write",
      params: RecordParams,
      body: FieldPatch,
      result: Field,
      problems: ["no_accepted_fields"],
      example: { body: { label: "Teaches" }, result: { ...fieldSettingsExample, ...{ label: "Teaches" } } },
      render: renderField,
    },
    updateField,
  )
  .add(
    {
      id: "deleteField",
      method: "delete",
      changes: [],
      path: "/settings/:company/instructor-fields/:id",
      summary: "Remove an instructor field",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      example: { result: { id: 1, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteField,
  );
