import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { leaveUnposted, postEntry } from "#features/ledger";
import { sellStock } from "#features/products";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/numbers.ts";
import { financialYearOf } from "#shared/dates.ts";
import { stateName } from "#shared/states.ts";
import type { products } from "#tables/products";
import { issueLines } from "./issue-lines.ts";
import { type OrderLine, splitOrder, splitTotals } from "./order-split.ts";
import { type Buyer, customerSnapshot, type Seller, sellerSnapshot } from "./parties.ts";
import { placeOfSupply, supplyType } from "./supply.ts";
import { invoiceItems, invoices } from "./tables.ts";

const SERIES = "invoice";
const BOOKS_CURRENCY = "INR";

export type PaidOrder = {
  id: number;
  orderNumber: string;
  currency: string;
  lines: readonly OrderLine[];
  taxAmount: number;
  shippingAmount: number;
  notes: string | null;
};

/**
 * The statements that issue the invoice of an order that has been paid: over exactly its total, sent and settled, taken
 * from stock whatever is there, and posted. `id` is the invoice's.
 */
export function invoiceOrder(
  ctx: Ctx,
  order: PaidOrder,
  buyer: Buyer,
  seller: Seller,
  stocked: readonly (typeof products.$inferSelect)[],
): { statements: SQLWrapper[]; id: SQL<number>; date: string } {
  const date = companyToday(ctx);
  const year = financialYearOf(date);
  const place = placeOfSupply(seller, buyer);
  const supply = supplyType(seller, buyer, place);
  const lines = splitOrder(order.lines, order, supply);
  const totals = splitTotals(lines);
  const here = eq(invoices.operation, ctx.operation.id);
  const id = sql<number>`(SELECT ${invoices.id} FROM ${invoices} WHERE ${here})`;
  const tracked = new Map(stocked.filter((each) => each.trackStock === 1).map((each) => [each.id, each]));
  const statements: SQLWrapper[] = [
    takeNumber(SERIES, year.short),
    ctx.db.insert(invoices).values({
      operation: ctx.operation.id,
      invoiceNumber: takenNumber(SERIES, year.short, seller.invoicePrefix),
      status: "sent",
      sentAt: ctx.now,
      currency: order.currency,
      customerId: buyer.id,
      customer: JSON.stringify(customerSnapshot(buyer)),
      seller: JSON.stringify(sellerSnapshot(seller)),
      invoiceDate: date,
      dueDate: date,
      financialYear: year.name,
      placeOfSupplyCode: place,
      placeOfSupplyName: place === null ? null : stateName(place),
      supplyType: supply,
      ...totals,
      amountPaid: totals.totalAmount,
      amountDue: 0,
      source: "storefront",
      salesOrderId: order.id,
      referenceNumber: order.orderNumber,
      notes: order.notes,
      publicToken: ctx.newToken(),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
    ctx.db.insert(invoiceItems).values(
      lines.map((line, index) => ({
        invoiceId: id,
        position: index + 1,
        productId: line.productId,
        itemName: line.name,
        description: line.description,
        hsnSacCode: line.hsnSacCode,
        quantity: line.quantity,
        unit: line.unit,
        unitPrice: line.unitPrice,
        discountAmount: 0,
        taxableValue: line.taxable,
        taxRate: line.taxRate,
        cgstAmount: line.cgst,
        sgstAmount: line.sgst,
        igstAmount: line.igst,
      })),
    ),
    ...order.lines.flatMap(({ productId, quantity }) => {
      const product = productId === null ? undefined : tracked.get(productId);
      if (product === undefined) return [];
      return sellStock(ctx, {
        productId: product.id,
        quantity,
        batchTracked: product.isBatchTracked === 1,
        allowNegative: true,
        type: "order_sale",
        referenceType: "invoice",
        referenceId: id,
      });
    }),
  ];
  const source = { voucherType: "invoice", sourceType: "invoice", sourceId: id };
  const posting =
    order.currency === BOOKS_CURRENCY
      ? postEntry(ctx, {
          ...source,
          ordinal: 0,
          date,
          narration: sql`(SELECT 'Invoice ' || ${invoices.invoiceNumber} FROM ${invoices} WHERE ${here})`,
          lines: issueLines(buyer.id, totals, order.shippingAmount),
        })
      : [leaveUnposted(ctx, source, "no_exchange_rate")];
  return { statements: [...statements, ...posting], id, date };
}
