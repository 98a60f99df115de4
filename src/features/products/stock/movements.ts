import { type SQL, sql } from "drizzle-orm";
import type { CallCtx, Ctx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { products } from "../products/tables.ts";
import { batches, stockMovements } from "./tables.ts";

type MovementType = (typeof stockMovements.$inferSelect)["type"];

export type Sale = {
  productId: number;
  /** Thousandths. */
  quantity: number;
  batchTracked: boolean;
  /** The company lets stock fall below zero. */
  allowNegative: boolean;
  /** `order_sale`: of an order that is paid already, so stock may always fall below zero. */
  type: "sale" | "order_sale";
  referenceType: string;
  referenceId: SQL<number>;
};

/** One movement of a product; triggers carry it into the product's and the batch's stock, or refuse it. */
export type Movement = {
  productId: SQL<number> | number;
  batchId?: SQL<number>;
  type: MovementType;
  /** Signed, in thousandths. */
  quantity: number;
  allowNegative?: boolean;
  reference?: { type: string; id: SQL<number> | number };
  reason?: string | null | undefined;
  notes?: string | null | undefined;
};

const columns = columnList(stockMovements, [
  "operation",
  "productId",
  "batchId",
  "type",
  "quantity",
  "unitCost",
  "allowNegative",
  "referenceType",
  "referenceId",
  "reason",
  "notes",
  "createdAt",
]);

/** The statement of one movement, at the product's purchase price of the moment. */
export function moveStock(ctx: CallCtx, movement: Movement): SQL {
  const { productId, batchId = sql`NULL`, quantity, reference, reason = null, notes = null } = movement;
  return sql`INSERT INTO ${stockMovements} (${columns()})
    SELECT ${ctx.call.id}, ${products.id}, ${batchId}, ${movement.type}, ${quantity}, ${products.purchasePrice},
      ${Number(movement.allowNegative ?? false)}, ${reference?.type ?? null}, ${reference?.id ?? null}, ${reason}, ${notes},
      ${ctx.now}
    FROM ${products} WHERE ${products.id} = ${productId}`;
}

/** Takes stock from the oldest batches first; what the batches do not hold is taken from the product without a batch. */
export function takeFirstInFirstOut(ctx: CallCtx, movement: Movement): SQL {
  const { productId, reference, reason = null, notes = null } = movement;
  const wanted = -movement.quantity;
  const ofProduct = sql`FROM ${batches} WHERE ${batches.productId} = ${productId} AND ${batches.quantity} > 0`;
  const held = sql`SELECT ${batches.id}, ${batches.quantity},
    sum(${batches.quantity}) OVER (ORDER BY ${batches.createdAt}, ${batches.id}) AS cumulative ${ofProduct}`;
  return sql`INSERT INTO ${stockMovements} (${columns()})
    SELECT ${ctx.call.id}, ${products.id}, taken.batch_id, ${movement.type}, -taken.quantity, ${products.purchasePrice},
      ${Number(movement.allowNegative ?? false)}, ${reference?.type ?? null}, ${reference?.id ?? null}, ${reason}, ${notes},
      ${ctx.now}
    FROM (
      SELECT id AS batch_id, min(quantity, ${wanted} - (cumulative - quantity)) AS quantity
      FROM (${held}) WHERE cumulative - quantity < ${wanted}
      UNION ALL
      SELECT NULL, ${wanted} - total FROM (
        SELECT coalesce(sum(${batches.quantity}), 0) AS total ${ofProduct}
      ) WHERE total < ${wanted}
    ) taken JOIN ${products} ON ${products.id} = ${productId}`;
}

/** The statements that take a line's quantity from stock. */
export function sellStock(ctx: Ctx, sale: Sale): SQL[] {
  const movement: Movement = {
    productId: sale.productId,
    type: sale.type,
    quantity: -sale.quantity,
    allowNegative: sale.allowNegative,
    reference: { type: sale.referenceType, id: sale.referenceId },
  };
  return [sale.batchTracked ? takeFirstInFirstOut(ctx, movement) : moveStock(ctx, movement)];
}

/** The statements that put back all that was sold under a reference, each to its batch. */
export function restoreStock(ctx: CallCtx, referenceType: string, referenceId: number): SQL[] {
  const sold = stockMovements;
  return [
    sql`INSERT INTO ${stockMovements} (${columns()})
      SELECT ${ctx.call.id}, ${sold.productId}, ${sold.batchId}, 'void_restore', -${sold.quantity}, ${sold.unitCost}, 0,
        ${sold.referenceType}, ${sold.referenceId}, NULL, NULL, ${ctx.now}
      FROM ${sold} WHERE ${sold.referenceType} = ${referenceType} AND ${sold.referenceId} = ${referenceId}
        AND ${sold.type} IN ('sale', 'order_sale')`,
  ];
}
