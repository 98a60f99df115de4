import { type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { reasonUnposted } from "#features/ledger";
import { moneyToWire, percentToWire, priceToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { type UnpostedReason, warningsOf } from "#shared/payments/posting-warnings.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { journalEntries } from "#tables/ledger";
import { invoiceItems, invoices } from "../tables.ts";
import { taxBreakup, taxRates } from "../tax/totals.ts";
import type { CustomerOnInvoice, SellerOnInvoice } from "./parties-on-invoice.ts";
import type { PAYMENT_STATUSES } from "./schema.ts";

const itemShape = {
  id: invoiceItems.id,
  product_id: invoiceItems.productId,
  item_name: invoiceItems.itemName,
  description: invoiceItems.description,
  hsn_sac_code: invoiceItems.hsnSacCode,
  quantity: invoiceItems.quantity,
  unit: invoiceItems.unit,
  unit_price: invoiceItems.unitPrice,
  discount_amount: invoiceItems.discountAmount,
  taxable_value: invoiceItems.taxableValue,
  tax_rate: invoiceItems.taxRate,
  cgst_amount: invoiceItems.cgstAmount,
  sgst_amount: invoiceItems.sgstAmount,
  igst_amount: invoiceItems.igstAmount,
};
type ItemRow = JsonRow<typeof itemShape>;

const invoiceShape = {
  invoice_number: invoices.invoiceNumber,
  status: invoices.status,
  payment_status: sql<(typeof PAYMENT_STATUSES)[number]>`${invoices.paymentStatus}`,
  currency: invoices.currency,
  customer_id: invoices.customerId,
  customer: sql<CustomerOnInvoice>`json(${invoices.customer})`,
  seller: sql<SellerOnInvoice>`json(${invoices.seller})`,
  invoice_date: invoices.invoiceDate,
  due_date: invoices.dueDate,
  financial_year: invoices.financialYear,
  place_of_supply_code: invoices.placeOfSupplyCode,
  place_of_supply_name: invoices.placeOfSupplyName,
  supply_type: invoices.supplyType,
  items: sql<ItemRow[]>`(
    SELECT json_group_array(${jsonObject(itemShape)}) FROM (
      SELECT * FROM ${invoiceItems} WHERE ${invoiceItems.invoiceId} = ${invoices.id} ORDER BY ${invoiceItems.position}
    ) ${invoiceItems}
  )`,
  sub_total: invoices.subTotal,
  discount_total: invoices.discountTotal,
  taxable_total: invoices.taxableTotal,
  cgst_total: invoices.cgstTotal,
  sgst_total: invoices.sgstTotal,
  igst_total: invoices.igstTotal,
  tax_total: invoices.taxTotal,
  round_off: invoices.roundOff,
  total_amount: invoices.totalAmount,
  amount_paid: invoices.amountPaid,
  tds_amount: invoices.tdsAmount,
  amount_due: invoices.amountDue,
  journal_entry_id: sql<number | null>`(
    SELECT ${journalEntries.id} FROM ${journalEntries}
    WHERE ${journalEntries.sourceType} = 'invoice' AND ${journalEntries.sourceId} = ${invoices.id}
      AND ${journalEntries.voucherType} = 'invoice' AND ${journalEntries.reversalOf} IS NULL
  )`,
  source: invoices.source,
  sales_order_id: invoices.salesOrderId,
  reference_number: invoices.referenceNumber,
  notes: invoices.notes,
  terms: invoices.terms,
  metadata: sql<Record<string, string>>`json(${invoices.metadata})`,
  public_token: invoices.publicToken,
  sent_at: invoices.sentAt,
  voided_at: invoices.voidedAt,
  created_at: invoices.createdAt,
  updated_at: invoices.updatedAt,
};

/** An invoice as the database holds it, and the day on which it was looked at: it decides what is overdue. */
export type InvoiceRow = { id: number; as_of: string; invoice: JsonRow<typeof invoiceShape> };

/** An invoice that was just issued, with why it has no journal entry. */
export type IssuedRow = InvoiceRow & { unposted?: UnpostedReason | null };

const columns = once(() => jsonObject(invoiceShape));

/** The SELECT of invoices, for reads and for the answer of a write; `tail` from WHERE on. */
export function selectInvoices(ctx: ReadCtx, tail: SQL): SQL<InvoiceRow> {
  return selectInvoicesAsOf({ today: companyToday(ctx), tail });
}

/** The same as of a day. */
export const selectInvoicesAsOf = keptStatement(
  ({ today, tail }: Given<{ today: string | SQL<string>; tail: SQL }>) => sql<InvoiceRow>`
    SELECT json_object('id', ${invoices.id}, 'as_of', ${today}, 'invoice', ${columns()}) AS snapshot
    FROM ${invoices} ${tail}`,
);

/** The SELECT that issuing an invoice ends with. */
export function selectIssued(ctx: ReadCtx, tail: SQL): SQL<IssuedRow> {
  return sql`SELECT json_object('id', ${invoices.id}, 'as_of', ${companyToday(ctx)}, 'invoice', ${columns()},
    'unposted', ${reasonUnposted("invoice", sql`${invoices.id}`)}) AS snapshot FROM ${invoices} ${tail}`;
}

export function renderIssued({ unposted, ...row }: IssuedRow, ctx: Pick<Ctx, "origin" | "company">) {
  return { ...renderInvoice(row, ctx), ...warningsOf(unposted) };
}

/** The invoice with the address of its page. */
export function renderInvoice(row: InvoiceRow, { origin, company }: Pick<Ctx, "origin" | "company">) {
  const { status, public_token: token } = row.invoice;
  // A voided invoice has no page any more.
  const shown = status !== "voided";
  return { ...renderPaper(row), hosted_url: shown ? `${origin}/i/${company.slug}/${token}` : null };
}

/** The invoice as its public page shows it. */
export function renderPaper({ id, as_of: asOf, invoice: row }: InvoiceRow) {
  const { place_of_supply_code: placeCode, place_of_supply_name: placeName } = row;
  return {
    id: String(id),
    invoice_number: row.invoice_number,
    status: row.status,
    payment_status: row.payment_status,
    is_overdue: row.amount_due > 0 && row.due_date < asOf,
    currency: row.currency,
    exchange_rate: null,
    customer_id: String(row.customer_id),
    customer: renderCustomer(row.customer),
    seller: row.seller,
    invoice_date: row.invoice_date,
    due_date: row.due_date,
    financial_year: row.financial_year,
    place_of_supply: placeCode === null ? null : { code: placeCode, name: placeName ?? placeCode },
    supply_type: row.supply_type,
    zero_rated: zeroRated(row),
    items: row.items.map((item) => renderItem(item, row.supply_type)),
    tax_breakup: renderBreakup(row.items),
    sub_total: moneyToWire(row.sub_total),
    discount_total: moneyToWire(row.discount_total),
    taxable_total: moneyToWire(row.taxable_total),
    cgst_total: moneyToWire(row.cgst_total),
    sgst_total: moneyToWire(row.sgst_total),
    igst_total: moneyToWire(row.igst_total),
    tax_total: moneyToWire(row.tax_total),
    round_off: moneyToWire(row.round_off),
    total_amount: moneyToWire(row.total_amount),
    amount_paid: moneyToWire(row.amount_paid),
    tds_amount: moneyToWire(row.tds_amount),
    amount_due: moneyToWire(row.amount_due),
    journal_entry_id: row.journal_entry_id === null ? null : String(row.journal_entry_id),
    source: row.source,
    sales_order_id: row.sales_order_id,
    reference_number: row.reference_number,
    notes: row.notes,
    terms: row.terms,
    metadata: row.metadata,
    sent_at: timestampOrNull(row.sent_at),
    voided_at: timestampOrNull(row.voided_at),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

/** Supplies abroad and to special economic zones are zero-rated: with IGST that is refunded later, or without tax. */
function zeroRated({ supply_type: supply, customer, igst_total: tax }: InvoiceRow["invoice"]) {
  if (supply !== "export" && (supply !== "inter" || customer.gst_category !== "sez")) return null;
  return tax > 0 ? ("with_payment" as const) : ("without_payment" as const);
}

function renderCustomer(customer: CustomerOnInvoice) {
  return { ...customer, id: String(customer.id) };
}

function renderItem(item: ItemRow, supply: "intra" | "inter" | "export") {
  const rates = taxRates(item.tax_rate, supply);
  const tax = item.cgst_amount + item.sgst_amount + item.igst_amount;
  return {
    id: String(item.id),
    product_id: item.product_id === null ? null : String(item.product_id),
    item_name: item.item_name,
    description: item.description,
    hsn_sac_code: item.hsn_sac_code,
    quantity: quantityToWire(item.quantity),
    unit: item.unit,
    unit_price: priceToWire(item.unit_price),
    discount_amount: moneyToWire(item.discount_amount),
    taxable_value: moneyToWire(item.taxable_value),
    tax_rate: percentToWire(item.tax_rate),
    cgst_rate: percentToWire(rates.cgstRate),
    cgst_amount: moneyToWire(item.cgst_amount),
    sgst_rate: percentToWire(rates.sgstRate),
    sgst_amount: moneyToWire(item.sgst_amount),
    igst_rate: percentToWire(rates.igstRate),
    igst_amount: moneyToWire(item.igst_amount),
    tax_amount: moneyToWire(tax),
    total: moneyToWire(item.taxable_value + tax),
  };
}

function renderBreakup(items: readonly ItemRow[]) {
  const lines = items.map((item) => ({
    taxRate: item.tax_rate,
    hsnSacCode: item.hsn_sac_code,
    taxableMinor: item.taxable_value,
    cgstMinor: item.cgst_amount,
    sgstMinor: item.sgst_amount,
    igstMinor: item.igst_amount,
  }));
  return taxBreakup(lines).map((group) => ({
    tax_rate: percentToWire(group.taxRate),
    hsn_sac_code: group.hsnSacCode,
    taxable_value: moneyToWire(group.taxableMinor),
    cgst_amount: moneyToWire(group.cgstMinor),
    sgst_amount: moneyToWire(group.sgstMinor),
    igst_amount: moneyToWire(group.igstMinor),
  }));
}
