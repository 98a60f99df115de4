import { Router } from "#api/operations/operation.ts";
import { adjustStock, renderAdjustment } from "./adjust-stock.ts";
import { StockAdjust, StockAdjustment } from "./schema.ts";

export const stockRoutes = new Router("Products", "/").create({ adjustStock }, "/:id/stock-adjustments", {
  changes: ["product"],
  summary: "Adjust a product's stock",
  description: "A decrease below zero is refused: 422 `insufficient_stock` with the `current_stock`.",
  body: StockAdjust,
  record: { schema: StockAdjustment, render: renderAdjustment },
  problems: ["stock_not_tracked", "insufficient_stock"],
  problemStatuses: { insufficient_stock: 422 },
});
