import { Router } from "#contract/operation.ts";
import {
  Category,
  CategoryCreate,
  CategoryPatch,
  DeletedRecord,
  MeasuredUnit,
  ProductParams,
  UnitCreate,
  UnitPatch,
} from "../schema.ts";
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategorySettings,
  renderCategorySettings,
  updateCategory,
} from "./categories.ts";
import {
  createUnit,
  deleteUnit,
  getUnit,
  listUnitSettings,
  renderUnitSettings,
  updateUnit,
} from "./units.ts";

const unitExample = { id: "36", code: "GROSS", name: "Gross of 144", base_code: "NOS", factor: 144 };
const categoryExample = {
  id: "4",
  name: "Kitchen",
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const productSettingsRoutes = new Router("Settings: Units and categories")
  .list(
    {
      id: "listUnitSettings",
      method: "get",
      path: "/settings/:company/units",
      summary: "List the units of measure",
      scope: "settings:read",
      result: MeasuredUnit,
      example: { result: unitExample },
      render: renderUnitSettings,
      sort: (row) => [row.id],
    },
    listUnitSettings,
  )
  .add(
    {
      id: "createUnit",
      method: "post",
      path: "/settings/:company/units",
      summary: "Add a unit of measure",
      scope: "settings:write",
      body: UnitCreate,
      result: MeasuredUnit,
      status: 201,
      problems: ["conflict"],
      example: {
        body: { code: "GROSS", name: "Gross of 144", base_code: "NOS", factor: 144 },
        result: unitExample,
      },
      render: renderUnitSettings,
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
      params: ProductParams,
      result: MeasuredUnit,
      example: { result: unitExample },
      render: renderUnitSettings,
    },
    getUnit,
  )
  .add(
    {
      id: "updateUnit",
      method: "patch",
      path: "/settings/:company/units/:id",
      summary: "Change a unit of measure",
      scope: "settings:write",
      params: ProductParams,
      body: UnitPatch,
      result: MeasuredUnit,
      problems: ["no_accepted_fields", "conflict"],
      example: { body: { name: "Gross" }, result: { ...unitExample, ...{ name: "Gross" } } },
      render: renderUnitSettings,
    },
    updateUnit,
  )
  .add(
    {
      id: "deleteUnit",
      method: "delete",
      path: "/settings/:company/units/:id",
      summary: "Remove a unit of measure",
      scope: "settings:write",
      description: "Refused while a product refers to it.",
      params: ProductParams,
      result: DeletedRecord,
      problems: ["in_use"],
      example: { result: { id: "36", deleted: true } },
      render: (row) => ({ id: String(row.id), deleted: true as const }),
    },
    deleteUnit,
  )
  .list(
    {
      id: "listCategorySettings",
      method: "get",
      path: "/settings/:company/categories",
      summary: "List the categories",
      scope: "settings:read",
      result: Category,
      example: { result: categoryExample },
      render: renderCategorySettings,
      sort: (row) => [row.id],
    },
    listCategorySettings,
  )
  .add(
    {
      id: "createCategory",
      method: "post",
      path: "/settings/:company/categories",
      summary: "Add a category",
      scope: "settings:write",
      body: CategoryCreate,
      result: Category,
      status: 201,
      problems: ["duplicate_name"],
      example: { body: { name: "Kitchen" }, result: categoryExample },
      render: renderCategorySettings,
    },
    createCategory,
  )
  .add(
    {
      id: "getCategory",
      method: "get",
      path: "/settings/:company/categories/:id",
      summary: "Read a category",
      scope: "settings:read",
      params: ProductParams,
      result: Category,
      example: { result: categoryExample },
      render: renderCategorySettings,
    },
    getCategory,
  )
  .add(
    {
      id: "updateCategory",
      method: "patch",
      path: "/settings/:company/categories/:id",
      summary: "Change a category",
      scope: "settings:write",
      params: ProductParams,
      body: CategoryPatch,
      result: Category,
      problems: ["no_accepted_fields", "duplicate_name"],
      example: { body: { name: "Kitchenware" }, result: { ...categoryExample, ...{ name: "Kitchenware" } } },
      render: renderCategorySettings,
    },
    updateCategory,
  )
  .add(
    {
      id: "deleteCategory",
      method: "delete",
      path: "/settings/:company/categories/:id",
      summary: "Remove a category",
      scope: "settings:write",
      description: "Refused while a product refers to it.",
      params: ProductParams,
      result: DeletedRecord,
      problems: ["in_use"],
      example: { result: { id: "36", deleted: true } },
      render: (row) => ({ id: String(row.id), deleted: true as const }),
    },
    deleteCategory,
  );
