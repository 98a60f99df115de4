import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategorySettings,
  renderCategory,
  updateCategory,
} from "./categories.ts";
import { Category, CategoryCreate, CategoryPatch } from "./schema.ts";

const categoryExample = {
  id: "4",
  name: "Kitchen",
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const categorySettingsRoutes = new Router("Settings: Units and categories")
  .list(
    {
      id: "listCategorySettings",
      method: "get",
      path: "/settings/:company/categories",
      summary: "List the categories",
      scope: "settings:read",
      result: Category,
      example: { result: categoryExample },
      render: renderCategory,
      sort: (row) => [row.id],
    },
    listCategorySettings,
  )
  .add(
    {
      id: "createCategory",
      method: "post",
      changes: [],
      path: "/settings/:company/categories",
      summary: "Add a category",
      scope: "settings:write",
      body: CategoryCreate,
      result: Category,
      status: 201,
      problems: ["duplicate_name"],
      example: { body: { name: "Kitchen" }, result: categoryExample },
      render: renderCategory,
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
      params: RecordParams,
      result: Category,
      example: { result: categoryExample },
      render: renderCategory,
    },
    getCategory,
  )
  .add(
    {
      id: "updateCategory",
      method: "patch",
      changes: [],
      path: "/settings/:company/categories/:id",
      summary: "Change a category",
      scope: "settings:write",
      params: RecordParams,
      body: CategoryPatch,
      result: Category,
      problems: ["no_accepted_fields", "duplicate_name"],
      example: { body: { name: "Kitchenware" }, result: { ...categoryExample, name: "Kitchenware" } },
      render: renderCategory,
    },
    updateCategory,
  )
  .add(
    {
      id: "deleteCategory",
      method: "delete",
      changes: [],
      path: "/settings/:company/categories/:id",
      summary: "Remove a category",
      scope: "settings:write",
      description: "Refused while a product refers to it.",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "36", deleted: true } },
      render: renderDeleted,
    },
    deleteCategory,
  );
