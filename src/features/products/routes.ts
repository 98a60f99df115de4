import { Router } from "#contract/operation.ts";
import { adjustStock, renderAdjustment } from "./adjust-stock.ts";
import { createProduct } from "./create.ts";
import { adjustmentExample, newProductExample, productExample } from "./examples.ts";
import { getProduct } from "./get.ts";
import { listProducts } from "./list.ts";
import { listUnits, renderUnit } from "./list-units.ts";
import {
  Product,
  ProductCreate,
  ProductParams,
  ProductPatch,
  ProductQuery,
  StockAdjust,
  StockAdjustment,
  Unit,
} from "./schema.ts";
import { renderProduct } from "./snapshot.ts";
import { updateProduct } from "./update.ts";

export const productRoutes = new Router("Products")
  .list(
    {
      id: "listProducts",
      method: "get",
      path: "/products/:company",
      summary: "List products",
      description: "Newest first.",
      scope: "products:read",
      query: ProductQuery,
      result: Product,
      example: { result: productExample },
      render: renderProduct,
      sort: (row) => [row.id],
    },
    listProducts,
  )
  .add(
    {
      id: "createProduct",
      method: "post",
      path: "/products/:company",
      summary: "Create a product",
      description: "Opening stock of a tracked product is its first stock movement.",
      scope: "products:write",
      body: ProductCreate,
      result: Product,
      status: 201,
      problems: ["duplicate_sku"],
      example: { body: newProductExample, result: productExample },
      render: renderProduct,
    },
    createProduct,
  )
  .all(
    {
      id: "listUnits",
      method: "get",
      path: "/products/:company/units",
      summary: "List units of measure",
      scope: "products:read",
      result: Unit,
      example: { result: productExample.unit },
      render: renderUnit,
    },
    listUnits,
  )
  .add(
    {
      id: "getProduct",
      method: "get",
      path: "/products/:company/:id",
      summary: "Read a product",
      description: "With its current stock.",
      scope: "products:read",
      params: ProductParams,
      result: Product,
      example: { result: productExample },
      render: renderProduct,
    },
    getProduct,
  )
  .add(
    {
      id: "updateProduct",
      method: "patch",
      path: "/products/:company/:id",
      summary: "Change a product",
      description: "Only the fields sent change; stock, and whether it is tracked, never do.",
      scope: "products:write",
      params: ProductParams,
      body: ProductPatch,
      result: Product,
      problems: ["no_accepted_fields", "duplicate_sku"],
      example: { body: { selling_price: 329 }, result: { ...productExample, selling_price: 329 } },
      render: renderProduct,
    },
    updateProduct,
  )
  .add(
    {
      id: "adjustStock",
      method: "post",
      path: "/products/:company/:id/stock-adjustments",
      summary: "Adjust a product's stock",
      description: "A decrease below zero is a 422 `insufficient_stock` here, with the `current_stock`.",
      scope: "products:write",
      params: ProductParams,
      body: StockAdjust,
      result: StockAdjustment,
      status: 201,
      problems: ["stock_not_tracked", "insufficient_stock"],
      problemStatuses: { insufficient_stock: 422 },
      example: {
        body: { adjustment_type: "decrease", quantity: 2, reason: "Damaged" },
        result: adjustmentExample,
      },
      render: renderAdjustment,
    },
    adjustStock,
  );
