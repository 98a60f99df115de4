import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { adjustStock, renderAdjustment } from "./adjust-stock.ts";
import { StockAdjust, StockAdjustment } from "./schema.ts";

const adjustmentExample = {
  id: "3",
  movement_id: "17",
  adjustment_type: "decrease" as const,
  quantity: 2,
  current_stock: 38,
  created_at: "2026-11-21T10:00:00.000Z",
};

export const stockRoutes = new Router("Products").add(
  {
    id: "adjustStock",
    method: "post",
    changes: ["product"],
    path: "/products/:company/:id/stock-adjustments",
    summary: "Adjust a product's stock",
    description: "A decrease below zero is refused: 422 `insufficient_stock` with the `current_stock`.",
    scope: "products:write",
    params: RecordParams,
    body: StockAdjust,
    result: StockAdjustment,
    status: 201,
    problems: ["stock_not_tracked", "insufficient_stock"],
    problemStatuses: { insufficient_stock: 422 },
    example: {
      path: { id: "2" },
      body: { adjustment_type: "decrease", quantity: 2, reason: "Damaged" },
      result: adjustmentExample,
    },
    render: renderAdjustment,
  },
  adjustStock,
);
