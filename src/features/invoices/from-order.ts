import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { leaveUnposted, postEntry } from "#features/ledger";
import { sellStock } from "#features/products";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/numbers.ts";
import { financialYearOf } from "#shared/dates.ts";
import { stateName } from "#shared/places/states.ts";
import type { products } from "#tables/products";
import { issueLines } from "./issue-lines.ts";
import { type OrderBuyer, orderBuyerSnapshot } from "./order-buyer.ts";
import type { OrderLine } from "./order-line.ts";
import { type SplitLine, splitOrder, splitTotals } from "./order-split.ts";
import { orderSupply } from "./order-supply.ts";
import { type Seller, sellerSnapshot } from "./parties.ts";
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
  /** The account that owes it; who it is made out to is the order's own. */
  customerId: number | SQL<number>;
  buyer: OrderBuyer;
};

/**
 * The statements that issue the invoice of an order that has been paid: over exactly its total, sent and settled, taken
 * from stock whatever is there, and posted. `id` is the invoice's. Null for an order whose stated tax is that of no rate.
 */
export function invoiceOrder(
  ctx: Ctx,
  order: PaidOrder,
  seller: Seller,
  stocked: readonly (typeof products.$inferSelect)[],
): { statements: SQLWrapper[]; id: SQL<number>; date: string } | null {
  const date = companyToday(ctx);
  const year = financialYearOf(date);
  const { place, supply, underLetter } = orderSupply(seller, order.buyer, date);
  const lines = splitOrder(order.lines, order, { supply, country: ctx.company.country, underLetter });
  if (lines === null) return null;
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
      customerId: order.customerId,
      customer: orderBuyerSnapshot(order.buyer, order.customerId),
      seller: JSON.stringify(sellerSnapshot(seller, date)),
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
          lines: issueLines(order.customerId, totals, shippingOf(lines, order)),
        })
      : [leaveUnposted(ctx, source, "no_exchange_rate")];
  return { statements: [...statements, ...posting], id, date };
}

/** What of the taxable value is shipping, which is the last line. */
function shippingOf(lines: readonly SplitLine[], { shippingAmount }: PaidOrder): number {
  return shippingAmount === 0 ? 0 : (lines.at(-1)?.taxable ?? 0);
}
