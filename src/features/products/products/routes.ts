import { Router } from "#api/operations/operation.ts";
import { readOne } from "#core/sql/read-records.ts";
import { createProduct, productIds } from "./create.ts";
import { listProducts, selectProduct } from "./read.ts";
import { product } from "./record.ts";
import { ProductCreate, ProductPatch, ProductQuery } from "./schema.ts";
import { updateProduct } from "./update.ts";

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
    externalIds: {
      ...productIds,
      change: {
        by: updateProduct,
        of: ProductPatch,
        problems: ["in_use"],
        keepsTexts: true,
        note: "What only a create takes, such as the opening stock, then has no effect.",
      },
    },
    problems: ["duplicate_sku", "invalid_product"],
  });

export const productRoutes = new Router("Products", "/", { record: product })
  .get({ getProduct: (ctx, { id }) => readOne(ctx, selectProduct({ id })) }, "/:id", {
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
