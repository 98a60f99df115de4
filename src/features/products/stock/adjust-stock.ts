import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { quantity, quantityOnWire, quantityToWire } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { batches, products, stockMovements } from "#tables/products";
import { moveStock, takeFirstInFirstOut } from "./movements.ts";

const SMALLEST = 0.01;

const StockAdjust = z.object({
  adjustment_type: z.enum(["increase", "decrease"]),
  quantity: quantity({ min: SMALLEST }).meta({ description: "Always positive." }),
  reason: cleanText({ max: 100 }).nullable().optional().describe("Stands with the movement."),
  notes: cleanMultilineText({ max: 500 }).nullable().optional(),
});
const StockAdjustment = z
  .object({
    id: z.string(),
    movement_id: z.string(),
    adjustment_type: z.enum(["increase", "decrease"]),
    quantity: quantityOnWire.describe("How much was added or taken away."),
    current_stock: quantityOnWire.meta({ description: "The stock after this adjustment." }),
    created_at: z.string(),
  })
  .meta({ id: "StockAdjustment" });

type StockAdjust = z.infer<typeof StockAdjust>;
type AdjustmentRow = Omit<z.infer<typeof StockAdjustment>, "id" | "movement_id" | "created_at"> &
  Record<"id" | "movement_id" | "created_at", number>;

export const stockRoutes = new Router("Products", "/").create({ adjustStock }, "/:id/stock-adjustments", {
  changes: ["product"],
  summary: "Adjust a product's stock",
  description: "A decrease below zero is refused: 422 `insufficient_stock` with the `current_stock`.",
  body: StockAdjust,
  record: { schema: StockAdjustment, render: renderAdjustment },
  problems: ["stock_not_tracked", "insufficient_stock"],
  problemStatuses: { insufficient_stock: 422 },
});

/** Raises or lowers a tracked product's stock; a decrease takes from the oldest batches, an increase goes to the newest. */
async function adjustStock(ctx: WriteCtx, { id }: RecordParams, body: StockAdjust): Promise<AdjustmentRow> {
  const [[product]] = await read(ctx, [
    ctx.db
      .select({ trackStock: products.trackStock, isBatchTracked: products.isBatchTracked })
      .from(products)
      .where(eq(products.id, id)),
  ]);
  if (product === undefined) throw new Problem("not_found");
  if (product.trackStock === 0) throw new Problem("stock_not_tracked");
  const increase = body.adjustment_type === "increase";
  const batched = product.isBatchTracked === 1;
  const movement = {
    productId: id,
    type: increase ? ("adjust_increase" as const) : ("adjust_decrease" as const),
    quantity: increase ? body.quantity : -body.quantity,
    reason: body.reason,
    notes: body.notes,
  };
  const newest = sql<number>`(
    SELECT ${batches.id} FROM ${batches} WHERE ${batches.productId} = ${id} ORDER BY ${desc(batches.id)} LIMIT 1
  )`;
  const statements =
    batched && increase
      ? [firstBatch(ctx, id), moveStock(ctx, { ...movement, batchId: newest })]
      : [batched ? takeFirstInFirstOut(ctx, movement) : moveStock(ctx, movement)];
  return atomic(ctx, statements, adjustment(ctx, id, body), { insufficient_stock: () => shortage(ctx, id) });
}

/** A product that opened with nothing has no batch yet: its first increase makes one. */
function firstBatch(ctx: ReadCtx, id: number): SQL {
  return sql`INSERT INTO ${batches} (product_id, batch_number, created_at) SELECT ${id}, 'ADJ-' || ${id}, ${ctx.now}
    WHERE NOT EXISTS (SELECT 1 FROM ${batches} WHERE ${batches.productId} = ${id})`;
}

/** The last movement of this call: where several batches gave, it has the balance after them all. */
function adjustment(ctx: CallCtx, id: number, body: StockAdjust): SQL<AdjustmentRow> {
  const mine = and(eq(stockMovements.operation, ctx.call.id), eq(stockMovements.productId, id));
  return sql`SELECT json_object('id', ${id}, 'movement_id', ${stockMovements.id},
    'adjustment_type', ${body.adjustment_type}, 'quantity', ${body.quantity},
    'current_stock', ${stockMovements.balanceAfter}, 'created_at', ${stockMovements.createdAt}) AS snapshot
    FROM ${stockMovements} WHERE ${mine} ORDER BY ${stockMovements.id} DESC LIMIT 1`;
}

async function shortage(ctx: ReadCtx, id: number): Promise<Problem> {
  const select = ctx.db.select({ stock: products.currentStock }).from(products).where(eq(products.id, id));
  const [[product]] = await ctx.database.read([select]);
  const current_stock = quantityToWire(product?.stock ?? 0);
  const details = { status: 422, members: { current_stock } };
  return fieldProblem(
    "quantity",
    "too_big",
    `is above the ${current_stock} in stock`,
    "insufficient_stock",
    details,
  );
}

function renderAdjustment(row: AdjustmentRow) {
  return {
    ...row,
    id: String(row.id),
    movement_id: String(row.movement_id),
    quantity: quantityToWire(row.quantity),
    current_stock: quantityToWire(row.current_stock),
    created_at: timestampToWire(row.created_at),
  };
}
