import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { reasonUnposted } from "#features/ledger";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { invoices } from "#tables/invoices";
import { journalEntries } from "#tables/ledger";
import { paymentModes } from "../modes/tables.ts";
import { cashOfDay, isAboveCashLimit } from "./cash-limit.ts";
import { payments } from "./tables.ts";

const shape = {
  id: payments.id,
  payment_number: payments.paymentNumber,
  invoice_id: payments.invoiceId,
  invoice_number: invoices.invoiceNumber,
  customer_id: payments.customerId,
  amount: payments.amount,
  tds_amount: payments.tdsAmount,
  tds_section: payments.tdsSection,
  currency: payments.currency,
  payment_date: payments.paymentDate,
  mode_id: paymentModes.id,
  mode_name: paymentModes.name,
  mode_type: paymentModes.modeType,
  reference_number: payments.referenceNumber,
  notes: payments.notes,
  gateway: payments.gateway,
  gateway_payment_id: payments.gatewayPaymentId,
  journal_entry_id: sql<number | null>`(
    SELECT ${journalEntries.id} FROM ${journalEntries}
    WHERE ${journalEntries.sourceType} = 'payment' AND ${journalEntries.sourceId} = ${payments.id}
      AND ${journalEntries.voucherType} = 'receipt' AND ${journalEntries.reversalOf} IS NULL
  )`,
  source: payments.source,
  created_at: payments.createdAt,
};
const invoiceShape = {
  invoice_payment_status: sql<"unpaid" | "partial" | "paid">`${invoices.paymentStatus}`,
  invoice_amount_paid: invoices.amountPaid,
  invoice_tds_amount: invoices.tdsAmount,
  invoice_amount_due: invoices.amountDue,
  unposted: reasonUnposted("payment", sql`${payments.id}`),
  cash_of_day: cashOfDay,
};

/** A payment as the database holds it. */
export type PaymentRow = JsonRow<typeof shape>;
/** A payment with what is left of its invoice. */
export type RecordedPaymentRow = PaymentRow & JsonRow<typeof invoiceShape>;

const columns = once(() => jsonObject(shape));
const recordedColumns = once(() => jsonObject({ ...shape, ...invoiceShape }));
const source = once(
  () => sql`${payments}
    JOIN ${invoices} ON ${invoices.id} = ${payments.invoiceId}
    JOIN ${paymentModes} ON ${paymentModes.id} = ${payments.paymentModeId}`,
);

/** The SELECT of live payments; `tail` goes on after WHERE. */
export function selectPayments(tail: SQL): SQL<PaymentRow> {
  return selectAnyPayment(sql`${payments.deletedAt} IS NULL AND ${tail}`);
}

/** The SELECT of payments, refunded ones too; `tail` goes on after WHERE. */
export function selectAnyPayment(tail: SQL): SQL<PaymentRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${source()} WHERE ${tail}`;
}

/** The SELECT that recording a payment ends with. */
export function selectRecorded(where: SQL): SQL<RecordedPaymentRow> {
  return sql`SELECT ${recordedColumns()} AS snapshot FROM ${source()} WHERE ${where}`;
}

export function renderPayment(row: PaymentRow) {
  return {
    id: String(row.id),
    payment_number: row.payment_number,
    invoice_id: String(row.invoice_id),
    invoice_number: row.invoice_number,
    customer_id: String(row.customer_id),
    amount: moneyToWire(row.amount),
    tds_amount: moneyToWire(row.tds_amount),
    tds_section: row.tds_section,
    total_settled: moneyToWire(row.amount + row.tds_amount),
    currency: row.currency,
    payment_date: row.payment_date,
    payment_mode_id: row.mode_id,
    payment_mode: { id: String(row.mode_id), name: row.mode_name, mode_type: row.mode_type },
    reference_number: row.reference_number,
    notes: row.notes,
    gateway: row.gateway,
    gateway_payment_id: row.gateway_payment_id,
    journal_entry_id: row.journal_entry_id === null ? null : String(row.journal_entry_id),
    source: row.source,
    created_at: timestampToWire(row.created_at),
  };
}

export function renderRecorded(row: RecordedPaymentRow, ctx: Pick<ReadCtx, "company">) {
  const warnings = [
    ...(row.unposted == null ? [] : [row.unposted]),
    ...(isAboveCashLimit(ctx, row.cash_of_day) ? (["cash_limit_269st"] as const) : []),
  ];
  return {
    ...renderPayment(row),
    invoice: {
      id: String(row.invoice_id),
      payment_status: row.invoice_payment_status,
      amount_paid: moneyToWire(row.invoice_amount_paid),
      tds_amount: moneyToWire(row.invoice_tds_amount),
      amount_due: moneyToWire(row.invoice_amount_due),
    },
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
