import { type SQL, sql } from "drizzle-orm";
import type { CallCtx, Ctx } from "#core/context.ts";
import { batches, products, stockMovements } from "#tables/products";

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

const intoMovements = sql`INSERT INTO ${stockMovements} (operation, product_id, batch_id, type, quantity, unit_cost,
  allow_negative, reference_type, reference_id, reason, notes, created_at)`;

/** The statement of one movement, at the product's purchase price of the moment. */
export function moveStock(ctx: CallCtx, movement: Movement): SQL {
  const { productId, batchId = sql`NULL`, quantity, reference, reason = null, notes = null } = movement;
  return sql`${intoMovements}
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
  return sql`${intoMovements}
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

/** The statement that puts back all that was sold under a reference, each to its batch. */
export function restoreStock(ctx: CallCtx, referenceType: string, referenceId: number): SQL {
  const sold = stockMovements;
  return sql`${intoMovements}
      SELECT ${ctx.call.id}, ${sold.productId}, ${sold.batchId}, 'void_restore', -${sold.quantity}, ${sold.unitCost}, 0,
        ${sold.referenceType}, ${sold.referenceId}, NULL, NULL, ${ctx.now}
      FROM ${sold} WHERE ${sold.referenceType} = ${referenceType} AND ${sold.referenceId} = ${referenceId}
        AND ${sold.type} IN ('sale', 'order_sale')`;
}

/** Goods that come back: thousandths of a product that a document sold. `earlier`: a SELECT of the documents that returned some. */
export type Return = {
  productId: number;
  quantity: number;
  sale: { type: string; id: number };
  reference: { type: string; id: SQL<number> };
  earlier: SQL;
};

/** Puts goods of a sale back into its batches, the newest first; no more than the sale took and is not back yet. */
export function returnStock(ctx: CallCtx, { productId, quantity, sale, reference, earlier }: Return): SQL {
  const { batchId, unitCost, quantity: moved, referenceType, referenceId } = stockMovements;
  const out = sql`SELECT ${batchId} AS batch_id, max(${unitCost}) AS unit_cost, -sum(${moved}) AS quantity
    FROM ${stockMovements} WHERE ${stockMovements.productId} = ${productId} AND (
      (${referenceType} = ${sale.type} AND ${referenceId} = ${sale.id})
      OR (${referenceType} = ${reference.type} AND ${referenceId} IN (${earlier})))
    GROUP BY ${batchId} HAVING sum(${moved}) < 0`;
  return sql`${intoMovements}
    SELECT ${ctx.call.id}, ${productId}, batch_id, 'void_restore', min(quantity, ${quantity} - before), unit_cost, 0,
      ${reference.type}, ${reference.id}, NULL, NULL, ${ctx.now}
    FROM (
      SELECT batch_id, unit_cost, taken.quantity AS quantity, sum(taken.quantity) OVER (
        ORDER BY batch_id IS NOT NULL, ${batches.createdAt} DESC, batch_id DESC) - taken.quantity AS before
      FROM (${out}) AS taken LEFT JOIN ${batches} ON ${batches.id} = batch_id
    ) WHERE before < ${quantity}`;
}

/** Takes out again what came back under a reference: a sale, which leaves no stock below zero unless that is allowed. */
export function takeBackReturned(ctx: CallCtx, type: string, id: number, allowNegative: SQL<number>): SQL {
  const back = stockMovements;
  return sql`${intoMovements}
    SELECT ${ctx.call.id}, ${back.productId}, ${back.batchId}, 'sale', -${back.quantity}, ${back.unitCost},
      ${allowNegative}, ${back.referenceType}, ${back.referenceId}, NULL, NULL, ${ctx.now}
    FROM ${back} WHERE ${back.referenceType} = ${type} AND ${back.referenceId} = ${id} AND ${back.type} = 'void_restore'`;
}
