import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
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
  /** `order_sale` is of a paid order, which must go through: it may fall below zero anyway. */
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

const COLUMNS = sql.raw(
  "operation, product_id, batch_id, type, quantity, unit_cost, allow_negative, reference_type, reference_id, reason, notes, created_at",
);

/** The statement of one movement, at the product's purchase price of the moment. */
export function moveStock(ctx: Ctx, movement: Movement): SQL {
  const { productId, batchId = sql`NULL`, quantity, reference, reason = null, notes = null } = movement;
  return sql`INSERT INTO ${stockMovements} (${COLUMNS})
    SELECT ${ctx.operation.id}, id, ${batchId}, ${movement.type}, ${quantity}, purchase_price,
      ${Number(movement.allowNegative ?? false)}, ${reference?.type ?? null}, ${reference?.id ?? null}, ${reason}, ${notes},
      ${ctx.now}
    FROM ${products} WHERE id = ${productId}`;
}

/** Takes stock from the oldest batches first; what no batch holds is taken from the product alone. */
export function takeFirstInFirstOut(ctx: Ctx, movement: Movement): SQL {
  const { productId, reference, reason = null, notes = null } = movement;
  const wanted = -movement.quantity;
  const held = sql`SELECT id, quantity, sum(quantity) OVER (ORDER BY created_at, id) AS cumulative
    FROM ${batches} WHERE product_id = ${productId} AND quantity > 0`;
  return sql`INSERT INTO ${stockMovements} (${COLUMNS})
    SELECT ${ctx.operation.id}, ${products}.id, taken.batch_id, ${movement.type}, -taken.quantity, purchase_price,
      ${Number(movement.allowNegative ?? false)}, ${reference?.type ?? null}, ${reference?.id ?? null}, ${reason}, ${notes},
      ${ctx.now}
    FROM (
      SELECT id AS batch_id, min(quantity, ${wanted} - (cumulative - quantity)) AS quantity
      FROM (${held}) WHERE cumulative - quantity < ${wanted}
      UNION ALL
      SELECT NULL, ${wanted} - total FROM (
        SELECT coalesce(sum(quantity), 0) AS total FROM ${batches} WHERE product_id = ${productId} AND quantity > 0
      ) WHERE total < ${wanted}
    ) taken JOIN ${products} ON ${products}.id = ${productId}`;
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
export function restoreStock(ctx: Ctx, referenceType: string, referenceId: number): SQL[] {
  return [
    sql`INSERT INTO ${stockMovements} (${COLUMNS})
      SELECT ${ctx.operation.id}, product_id, batch_id, 'void_restore', -quantity, unit_cost, 0, reference_type,
        reference_id, NULL, NULL, ${ctx.now}
      FROM ${stockMovements}
      WHERE reference_type = ${referenceType} AND reference_id = ${referenceId} AND type IN ('sale', 'order_sale')`,
  ];
}
