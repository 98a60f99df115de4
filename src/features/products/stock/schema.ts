import * as z from "zod";
import { quantity, quantityOnWire } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";

const SMALLEST = 0.01;

export const StockAdjust = z.object({
  adjustment_type: z.enum(["increase", "decrease"]),
  quantity: quantity({ min: SMALLEST }).meta({ description: "Always positive." }),
  reason: cleanText({ max: 100 }).nullable().optional().describe("Stands with the movement."),
  notes: cleanMultilineText({ max: 500 }).nullable().optional(),
});
export const StockAdjustment = z
  .object({
    id: z.string(),
    movement_id: z.string(),
    adjustment_type: z.enum(["increase", "decrease"]),
    quantity: quantityOnWire.describe("How much was added or taken away."),
    current_stock: quantityOnWire.meta({ description: "The stock after this adjustment." }),
    created_at: z.string(),
  })
  .meta({ id: "StockAdjustment" });

export type StockAdjust = z.infer<typeof StockAdjust>;
