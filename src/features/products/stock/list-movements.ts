import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { described, idText, instant, nullable, thousandths, unitPrice } from "#core/sql/fields.ts";
import { equalTo } from "#core/sql/narrowed.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { idReference } from "#shared/fields/ids.ts";
import { stockMovements } from "#tables/products";

const MovementQuery = z.object({ product_id: idReference.optional() });

/** A movement of a product's stock. */
const movement = record(
  stockMovements,
  {
    id: idText,
    product_id: idText,
    batch_id: described(nullable(idText), "The batch that it went to or came from."),
    type: z.enum(stockMovements.type.enumValues).meta({
      description:
        "`sale`: an invoice, or what a voided credit note had put back. `order_sale`: an order that was paid. `void_restore`: it came back.",
    }),
    quantity: described(thousandths, "Below 0: it left."),
    unit_cost: described(nullable(unitPrice), "The product's purchase price at that time."),
    balance_after: described(nullable(thousandths), "The stock after it."),
    reference_type: z.string().nullable().describe("What it is of, such as `invoice` or `credit_note`."),
    reference_id: nullable(idText),
    reason: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: instant,
  },
  "StockMovement",
);

/** What moved stock: a part of the ledger to its clients. */
export const stockMovementRoutes = new Router("Ledger", "/stock-movements").list(
  {
    listStockMovements: (ctx, _params, { page, ...query }) =>
      readNewest(ctx, page, movement, equalTo(stockMovements, query, "product_id")),
  },
  "/",
  {
    summary: "List the movements of stock",
    description: "Newest first.",
    query: MovementQuery,
    record: movement,
  },
);
