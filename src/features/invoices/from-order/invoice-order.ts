import type { SQL, SQLWrapper } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx } from "#core/context.ts";
import type { SoldLessons } from "#features/lessons";
import { insertInvoice, type NewItem, type Product, type Taken } from "../invoices/insert.ts";
import type { Seller } from "../invoices/parties.ts";
import { type OrderBuyer, orderBuyerOnInvoice, orderSupply } from "./buyer.ts";
import type { OrderLine } from "./order-line.ts";
import { type SplitLine, splitOrder, splitTotals } from "./split-tax.ts";

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
 * The statements that issue the invoice of a paid order, over exactly its total: sent and paid at once, and its goods
 * leave stock even below zero. `id` is the invoice's. Null for an order whose stated tax follows from no GST rates.
 */
export function invoiceOrder(
  ctx: Ctx,
  order: PaidOrder,
  seller: Seller,
  stocked: readonly Product[],
): { statements: SQLWrapper[]; id: SQL<number>; date: string } | null {
  const date = companyToday(ctx);
  const { country } = ctx.company;
  const isService = order.lines.every((line) => line.isService);
  const supply = orderSupply(seller, order.buyer, { country, date, isService });
  const lines = splitOrder(order.lines, order, { ...supply, country });
  if (lines === null) return null;
  const totals = splitTotals(lines);
  const invoice = insertInvoice(ctx, {
    seller,
    customerId: order.customerId,
    customer: orderBuyerOnInvoice(order.buyer, order.customerId),
    buyerGstin: order.buyer.gstin,
    currency: order.currency,
    invoiceDate: date,
    dueDate: date,
    supply,
    items: lines.map(newItem),
    totals,
    shipping: order.shippingAmount === 0 ? 0 : (lines.at(-1)?.taxable ?? 0),
    lessons: { sold: packagesOf(lines, stocked), bookingId: null },
    referenceNumber: order.orderNumber,
    sold: { lines: takenBy(order, stocked), type: "order_sale", allowNegative: true },
    more: {
      status: "sent",
      sentAt: ctx.now,
      amountPaid: totals.totalAmount,
      source: "storefront",
      salesOrderId: order.id,
      notes: order.notes,
    },
  });
  return { ...invoice, date };
}

/** A line as the invoice stores it. */
export function newItem({ name, taxable, half, igst, ...line }: SplitLine): NewItem {
  return {
    ...line,
    itemName: name,
    discountAmount: 0,
    taxableValue: taxable,
    cgstAmount: half,
    sgstAmount: half,
    igstAmount: igst,
  };
}

/** What the lines take of the products whose stock is kept. */
function takenBy({ lines }: PaidOrder, stocked: readonly Product[]): Taken[] {
  const tracked = new Map(stocked.filter((each) => each.trackStock === 1).map((each) => [each.id, each]));
  return lines.flatMap(({ productId, quantity }) => {
    const product = productId === null ? undefined : tracked.get(productId);
    return product === undefined ? [] : [{ product, quantity }];
  });
}

/** The lines that sell packages of lessons. */
function packagesOf(lines: readonly SplitLine[], stocked: readonly Product[]): SoldLessons[] {
  const packages = new Set(stocked.filter((each) => each.isPackage === 1).map(({ id }) => id));
  return lines.flatMap(({ productId, taxable }, index) =>
    productId !== null && packages.has(productId) ? [{ line: index + 1, amount: taxable }] : [],
  );
}
