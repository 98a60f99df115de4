import type { SQL, SQLWrapper } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import type { GstTreatment } from "#shared/gst/treatments.ts";
import { pick } from "#shared/pick.ts";
import { insertInvoice } from "../invoices/insert.ts";
import {
  type CustomerOnInvoice,
  particularsOnInvoice,
  type Seller,
  type SellerOnInvoice,
  sellerOnInvoice,
} from "../invoices/parties.ts";
import type { InvoiceTotals } from "../tax/gst.ts";
import { gstStatusOf } from "../tax/registered.ts";
import { type OrderBuyer, orderBuyerOnInvoice, orderSupply } from "./buyer.ts";
import { newItem } from "./invoice-order.ts";
import { type SplitLine, splitOrder, splitTotals } from "./split-tax.ts";

/** What was paid for a booking; `amount` in minor units, `taxRate` in thousandths of a percent. */
export type PaidLesson = {
  bookingId: string;
  bookingNumber: SQL<string>;
  currency: string;
  amount: number;
  product: {
    id: number;
    name: string;
    hsnSacCode: string | null;
    taxRate: number;
    gstTreatment: GstTreatment;
    unit: string;
  };
  customerId: number | SQL<number>;
  buyer: OrderBuyer;
};

/** A paid lesson with the tax inside its price. */
export type TaxedLesson = {
  date: string;
  seller: SellerOnInvoice;
  isTaxed: boolean;
  supply: ReturnType<typeof orderSupply>;
  line: SplitLine;
  totals: InvoiceTotals;
};

/** Whether a company is registered for the tax of its country, so that a payment for a lesson bears it. */
export function isTaxRegistered(seller: Seller, { company }: Pick<ReadCtx, "company">): boolean {
  return company.country === "IN" ? gstStatusOf(seller) === "registered" : seller.taxRegistered === 1;
}

/** The tax inside the price of a paid lesson, none where the company is not registered. */
export function taxLesson(ctx: ReadCtx, { product, buyer, amount }: PaidLesson, seller: Seller): TaxedLesson {
  const date = companyToday(ctx);
  const isTaxed = isTaxRegistered(seller, ctx);
  const { country } = ctx.company;
  const supply = { ...orderSupply(seller, buyer, { country, date, isService: true }), isTaxed };
  const priced = {
    productId: product.id,
    ...pick(product, "name", "hsnSacCode", "unit", "taxRate", "gstTreatment"),
    description: null,
    quantity: 1_000,
    unitPrice: 0,
    isService: true,
    total: amount,
    includesTax: true,
    addedTax: 0,
  };
  const amounts = { taxAmount: 0, shippingAmount: 0 };
  const [line] = splitOrder([priced], amounts, { ...supply, country }) ?? [];
  if (line === undefined) throw new Error("A lesson without a stated tax has one line");
  return {
    date,
    seller: sellerOnInvoice(seller, country, date),
    isTaxed,
    supply,
    line,
    totals: splitTotals([line]),
  };
}

/** Who a receipt names: as an invoice does, without the e-mail address and the phone number. */
export function receivedFrom(buyer: OrderBuyer): Omit<CustomerOnInvoice, "id"> {
  return particularsOnInvoice({ ...buyer, email: null, phone: null });
}

/** The statements that issue the invoice of a paid lesson, sent and paid at once. `id` is the invoice's. */
export function invoiceLesson(
  ctx: Ctx,
  lesson: PaidLesson,
  seller: Seller,
): { statements: SQLWrapper[]; id: SQL<number>; date: string } {
  const { date, supply, line, totals } = taxLesson(ctx, lesson, seller);
  const invoice = insertInvoice(ctx, {
    seller,
    customerId: lesson.customerId,
    customer: orderBuyerOnInvoice(lesson.buyer, lesson.customerId),
    currency: lesson.currency,
    invoiceDate: date,
    dueDate: date,
    buyerGstin: lesson.buyer.gstin,
    supply,
    items: [newItem(line)],
    totals,
    lessons: { sold: [{ line: 1, amount: line.taxable }], bookingId: lesson.bookingId },
    referenceNumber: lesson.bookingNumber,
    sold: { lines: [], type: "order_sale", allowNegative: true },
    more: {
      status: "sent",
      sentAt: ctx.now,
      amountPaid: totals.totalAmount,
      source: "booking",
    },
  });
  return { ...invoice, date };
}
