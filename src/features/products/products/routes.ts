import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { createProduct } from "./create.ts";
import { newProductExample, productExample } from "./examples.ts";
import { getProduct, listProducts } from "./read.ts";
import { product } from "./record.ts";
import { ProductCreate, ProductPatch, ProductQuery } from "./schema.ts";
import { updateProduct } from "./update.ts";

export const productListRoutes = new Router("Products")
  .list(
    {
      id: "listProducts",
      path: "/products/:company",
      summary: "List products",
      description: "Newest first.",
      scope: "products:read",
      query: ProductQuery,
      record: product,
      example: { result: productExample },
    },
    listProducts,
  )
  .add(
    {
      id: "createProduct",
      method: "post",
      changes: ["product"],
      path: "/products/:company",
      summary: "Create a product",
      description: "The opening stock of a tracked product is its first stock movement.",
      scope: "products:write",
      body: ProductCreate,
      takesBlanks: true,
      record: product,
      status: 201,
      problems: ["duplicate_sku", "invalid_product"],
      example: { body: newProductExample, result: productExample },
    },
    createProduct,
  );

export const productRoutes = new Router("Products")
  .add(
    {
      id: "getProduct",
      method: "get",
      path: "/products/:company/:id",
      summary: "Read a product",
      description: "With its current stock.",
      scope: "products:read",
      params: RecordParams,
      record: product,
      example: { result: productExample },
    },
    getProduct,
  )
  .add(
    {
      id: "updateProduct",
      method: "patch",
      changes: ["product"],
      path: "/products/:company/:id",
      summary: "Change a product",
      description:
        "Only the fields you send change. The stock, and whether it is tracked, never change here. The unit cannot change once stock has moved.",
      scope: "products:write",
      params: RecordParams,
      body: ProductPatch,
      takesBlanks: true,
      keepsTexts: true,
      record: product,
      problems: ["no_accepted_fields", "duplicate_sku", "in_use", "invalid_product"],
      example: { body: { selling_price: 329 }, result: { ...productExample, selling_price: 329 } },
    },
    updateProduct,
  );
