import { Router } from "#api/operations/operation.ts";
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

export const stockRoutes = new Router("Products", "/").create({ adjustStock }, "/:id/stock-adjustments", {
  changes: ["product"],
  summary: "Adjust a product's stock",
  description: "A decrease below zero is refused: 422 `insufficient_stock` with the `current_stock`.",
  body: StockAdjust,
  record: { schema: StockAdjustment, render: renderAdjustment },
  problems: ["stock_not_tracked", "insufficient_stock"],
  problemStatuses: { insufficient_stock: 422 },
  example: {
    path: { id: "2" },
    body: { adjustment_type: "decrease", quantity: 2, reason: "Damaged" },
    result: adjustmentExample,
  },
});
