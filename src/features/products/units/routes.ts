import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { listUnits } from "./list.ts";
import { MeasuredUnit, Unit, UnitCreate, UnitPatch } from "./schema.ts";
import { renderUnit } from "./snapshot.ts";
import { createUnit, deleteUnit, getUnit, listUnitSettings, updateUnit } from "./units.ts";

const grossExample = { id: "36", code: "GROSS", name: "Gross of 144", base_code: "NOS", factor: 144 };

export const unitRoutes = new Router("Products").all(
  {
    id: "listUnits",
    method: "get",
    path: "/products/:company/units",
    summary: "List units of measure",
    scope: "products:read",
    result: Unit,
    example: { result: { id: "1", code: "NOS", name: "Numbers" } },
    render: renderUnit,
  },
  listUnits,
);

export const unitSettingsRoutes = new Router("Settings: Units and categories")
  .list(
    {
      id: "listUnitSettings",
      method: "get",
      path: "/settings/:company/units",
      summary: "List the units of measure",
      scope: "settings:read",
      result: MeasuredUnit,
      example: { result: grossExample },
      render: renderUnit,
      sort: (row) => [row.id],
    },
    listUnitSettings,
  )
  .add(
    {
      id: "createUnit",
      method: "post",
      changes: [],
      path: "/settings/:company/units",
      summary: "Add a unit of measure",
      scope: "settings:write",
      body: UnitCreate,
      result: MeasuredUnit,
      status: 201,
      problems: ["conflict"],
      example: {
        body: { code: "GROSS", name: "Gross of 144", base_code: "NOS", factor: 144 },
        result: grossExample,
      },
      render: renderUnit,
    },
    createUnit,
  )
  .add(
    {
      id: "getUnit",
      method: "get",
      path: "/settings/:company/units/:id",
      summary: "Read a unit of measure",
      scope: "settings:read",
      params: RecordParams,
      result: MeasuredUnit,
      example: { result: grossExample },
      render: renderUnit,
    },
    getUnit,
  )
  .add(
    {
      id: "updateUnit",
      method: "patch",
      changes: [],
      path: "/settings/:company/units/:id",
      summary: "Change a unit of measure",
      scope: "settings:write",
      params: RecordParams,
      body: UnitPatch,
      result: MeasuredUnit,
      problems: ["no_accepted_fields", "conflict"],
      example: { body: { name: "Gross" }, result: { ...grossExample, name: "Gross" } },
      render: renderUnit,
    },
    updateUnit,
  )
  .add(
    {
      id: "deleteUnit",
      method: "delete",
      changes: [],
      path: "/settings/:company/units/:id",
      summary: "Remove a unit of measure",
      scope: "settings:write",
      description: "Refused while a product refers to it.",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "36", deleted: true } },
      render: renderDeleted,
    },
    deleteUnit,
  );
