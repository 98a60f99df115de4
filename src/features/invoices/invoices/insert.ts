import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, Ctx } from "#core/context.ts";
import { columnsBut } from "#core/sql/columns.ts";
import { insertFromJson, insertRow } from "#core/sql/json-rows.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { documentOf, postDocument, type postStrictly } from "#features/ledger";
import { type SoldLessons, sellLessons } from "#features/lessons";
import { sellStock } from "#features/products";
import { sum } from "#shared/money/shares.ts";
import { ACCOUNTS } from "#shared/payments/books.ts";
import { stateName } from "#shared/places/states.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { invoiceItems, invoices } from "#tables/invoices";
import type { products } from "#tables/products";
import { documentTypeOf } from "../tax/document-type.ts";
import type { InvoiceTotals } from "../tax/gst.ts";
import type { Supply } from "../tax/place-of-supply.ts";
import { type Seller, sellerOnInvoice } from "./parties.ts";

const SERIES = "invoice";

const insertOne = insertRow(
  invoices,
  columnsBut(invoices, [
    "id",
    "invoiceNumber",
    "customerId",
    "customer",
    "tdsAmount",
    "amountCredited",
    "taxableCredited",
    "voidedAt",
    "voidedBy",
    "overdueSince",
    "refundedWithoutCreditNote",
    "dueRaises",
    "referenceNumber",
  ]),
);
const insertItems = insertFromJson(invoiceItems, columnsBut(invoiceItems, ["id", "invoiceId"]));
export type NewItem = Omit<Parameters<typeof insertItems>[0][number], "position">;

export type Product = typeof products.$inferSelect;
/** What a line takes of a tracked product, in thousandths of the product's own unit. */
export type Taken = { product: Product; quantity: number };
type Sold = { lines: readonly Taken[]; type: "sale" | "order_sale"; allowNegative: boolean };

/** An invoice to issue; money in minor units. */
export type NewInvoice = {
  seller: Seller;
  /** The account that owes it. */
  customerId: number | SQL<number>;
  /** Who it is made out to, as JSON. */
  customer: string | SQL<string>;
  buyerGstin: string | null;
  currency: string;
  invoiceDate: string;
  dueDate: string;
  supply: Supply;
  items: readonly NewItem[];
  totals: InvoiceTotals;
  /** The shipping in the taxable total. */
  shipping?: number;
  /** The lessons among its lines, and the booking that was paid, if one was. */
  lessons?: { sold: readonly SoldLessons[]; bookingId: string | null };
  /** What it takes from stock. */
  sold: Sold;
  /** Where it comes from, what it says, and what has been sent and paid of it already. */
  more: Partial<More>;
  referenceNumber?: string | SQL<string> | null;
};

type More = Pick<
  typeof invoices.$inferSelect,
  "status" | "sentAt" | "amountPaid" | "source" | "salesOrderId" | "notes" | "terms" | "metadata"
>;
const NOTHING_MORE: More = {
  status: "draft",
  sentAt: null,
  amountPaid: 0,
  source: "api",
  salesOrderId: null,
  notes: null,
  terms: null,
  metadata: "{}",
};

/** The invoice that this call issues, as a condition on `invoices`. */
export function issuedBy(ctx: CallCtx): SQL {
  return eq(invoices.operation, ctx.call.id);
}

/**
 * The statements that issue an invoice: numbered, its goods taken from stock, and one of any amount posted to the books by
 * `post`. `id` selects its id.
 */
export function insertInvoice(
  ctx: Ctx,
  invoice: NewInvoice,
  post?: typeof postStrictly,
): { statements: SQLWrapper[]; id: SQL<number> } {
  const { seller, customerId, customer, currency, invoiceDate, dueDate, supply, totals, more } = invoice;
  const { country } = ctx.company;
  const { buyerGstin, items, lessons } = invoice;
  const year = financialYearOf(invoiceDate, country);
  const id = sql<number>`(SELECT ${invoices.id} FROM ${invoices} WHERE ${issuedBy(ctx)})`;
  const source = { voucherType: "invoice", sourceType: "invoice", sourceId: id } as const;
  const narration = sql`(SELECT 'Invoice ' || ${invoices.invoiceNumber} FROM ${invoices} WHERE ${issuedBy(ctx)})`;
  const document = documentOf(id, narration, sidesOf(invoice), { customerId, currency });
  const statements = [
    takeNumber(SERIES, year.short),
    insertOne(
      {
        operation: ctx.call.id,
        currency,
        seller: JSON.stringify(sellerOnInvoice(seller, country, invoiceDate)),
        invoiceDate,
        dueDate,
        financialYear: year.name,
        placeOfSupplyCode: supply.place,
        placeOfSupplyName: supply.place === null ? null : stateName(supply.place),
        supplyType: supply.type,
        documentType: documentTypeOf(seller, { country, supply, buyerGstin, lines: items }),
        ...totals,
        amountDue: totals.totalAmount - (more.amountPaid ?? 0),
        ...NOTHING_MORE,
        ...more,
        publicToken: ctx.newToken(),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
      {
        invoiceNumber: takenNumber(SERIES, year.short, seller.invoicePrefix),
        customerId: sql`${customerId}`,
        customer: sql`${customer}`,
        referenceNumber: sql`${invoice.referenceNumber ?? null}`,
      },
    ),
    insertItems(
      items.map((item, index) => ({ ...item, position: index + 1 })),
      { invoiceId: id },
    ),
    ...takeFromStock(ctx, id, invoice.sold),
    ...(lessons === undefined ? [] : sellLessons(ctx, { invoiceId: id }, lessons.sold, lessons.bookingId)),
    ...(totals.taxableTotal === 0 && totals.taxTotal === 0
      ? []
      : postDocument(ctx, source, { currency, date: invoiceDate, document }, post)),
  ];
  return { statements, id };
}

/** The same as `postings_of_invoices` says: so many invoices are written that none is read for its entry. */
function sidesOf({ totals, shipping = 0, lessons }: NewInvoice): Parameters<typeof documentOf>[2] {
  const unearned = sum(lessons?.sold.map(({ amount }) => amount) ?? []);
  return [
    { of: "customer", debit: totals.totalAmount },
    { key: ACCOUNTS.sales, credit: totals.taxableTotal - shipping - unearned },
    { key: ACCOUNTS.shippingIncome, credit: shipping },
    { key: ACCOUNTS.unearnedLessonIncome, credit: unearned },
    { key: ACCOUNTS.outputCgst, credit: totals.cgstTotal },
    { key: ACCOUNTS.outputSgst, credit: totals.sgstTotal },
    { key: ACCOUNTS.outputIgst, credit: totals.igstTotal },
    { key: ACCOUNTS.roundOff, debit: Math.max(-totals.roundOff, 0), credit: Math.max(totals.roundOff, 0) },
  ];
}

/** The statements that take from stock what an invoice sells. */
function takeFromStock(ctx: Ctx, invoiceId: SQL<number>, { lines, type, allowNegative }: Sold): SQL[] {
  return lines.flatMap(({ product, quantity }) =>
    sellStock(ctx, {
      productId: product.id,
      quantity,
      batchTracked: product.isBatchTracked === 1,
      allowNegative,
      type,
      referenceType: "invoice",
      referenceId: invoiceId,
    }),
  );
}
