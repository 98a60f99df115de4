import { Router } from "#api/operations/operation.ts";
import { ExternalParams } from "#shared/fields/external-id.ts";
import { createProduct, productIds } from "./create.ts";
import { getProduct, listProducts } from "./read.ts";
import { product } from "./record.ts";
import { ProductCreate, ProductPatch, ProductQuery } from "./schema.ts";
import { createOrChangeProduct, updateProduct } from "./update.ts";

export const productListRoutes = new Router("Products", "/", { record: product })
  .list({ listProducts }, "/", {
    summary: "List products",
    description: "Newest first.",
    query: ProductQuery,
  })
  .create({ createProduct }, "/", {
    changes: ["product"],
    summary: "Create a product",
    description: "The opening stock of a tracked product is its first stock movement.",
    body: ProductCreate,
    takesBlanks: true,
    externalIds: productIds,
    problems: ["duplicate_sku", "invalid_product"],
  })
  .put({ createOrChangeProduct }, "/external/:external_id", {
    changes: ["product"],
    summary: "Create or change a product by your own id",
    description:
      "The body is that of a create. Creates the product (201), or changes the fields you send of the one that has the id (200). What only a create takes, such as the opening stock, then has no effect.",
    params: ExternalParams,
    body: ProductCreate,
    takesBlanks: true,
    keepsTexts: true,
    externalIds: { ...productIds, changes: true },
    status: 201,
    problems: ["duplicate_sku", "in_use", "invalid_product"],
  });

export const productRoutes = new Router("Products", "/", { record: product })
  .get({ getProduct }, "/:id", {
    summary: "Read a product",
    description: "With its current stock.",
  })
  .patch({ updateProduct }, "/:id", {
    changes: ["product"],
    summary: "Change a product",
    description:
      "Only the fields you send change. The stock, and whether it is tracked, never change here. The unit cannot change once stock has moved.",
    body: ProductPatch,
    takesBlanks: true,
    keepsTexts: true,
    problems: ["duplicate_sku", "in_use", "invalid_product"],
  });
