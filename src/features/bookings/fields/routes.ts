import { Router } from "#contract/operation.ts";
import { renderField } from "../list-instructor-fields.ts";
import { DeletedRecord, RecordParams } from "../schema.ts";
import { createField, deleteField, getField, listFieldSettings, updateField } from "./fields.ts";
import { Field, FieldCreate, FieldPatch } from "./schema.ts";

const newFieldExample = {
  key: "student_types",
  label: "Takes",
  type: "multiselect" as const,
  options: ["beginners", "overseas licences"],
};
const fieldSettingsExample = {
  ...newFieldExample,
  id: 1,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const fieldRoutes = new Router("Settings: Instructor fields")
  .list(
    {
      id: "listFieldSettings",
      method: "get",
      path: "/settings/:company/instructor-fields",
      summary: "List all instructor fields",
      scope: "settings:read",
      result: Field,
      envelope: "data",
      status: 200,
      problems: [],
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
      path: "/settings/:company/instructor-fields",
      summary: "Add an instructor field",
      scope: "settings:write",
      body: FieldCreate,
      result: Field,
      envelope: "data",
      status: 201,
      problems: ["validation_failed", "duplicate_name"],
      example: { body: newFieldExample, result: fieldSettingsExample },
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
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: fieldSettingsExample },
      render: renderField,
    },
    getField,
  )
  .add(
    {
      id: "updateField",
      method: "patch",
      path: "/settings/:company/instructor-fields/:id",
      summary: "Change an instructor field",
      scope: "settings:write",
      params: RecordParams,
      body: FieldPatch,
      result: Field,
      envelope: "data",
      status: 200,
      problems: ["not_found", "validation_failed", "no_accepted_fields"],
      example: { body: { label: "Teaches" }, result: { ...fieldSettingsExample, ...{ label: "Teaches" } } },
      render: renderField,
    },
    updateField,
  )
  .add(
    {
      id: "deleteField",
      method: "delete",
      path: "/settings/:company/instructor-fields/:id",
      summary: "Remove an instructor field",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedRecord,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: { id: 1, deleted: true } },
      render: (row) => ({ id: row.id, deleted: true as const }),
    },
    deleteField,
  );
