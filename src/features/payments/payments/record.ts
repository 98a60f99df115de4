import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { ReadCtx } from "#core/context.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import { added, amount, described, from, idText, instant, internal, nullable } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { entryIdOf, reasonUnposted } from "#features/ledger";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { invoices } from "#tables/invoices";
import { paymentModes, payments } from "#tables/payments";
import { paymentMode } from "../modes/modes.ts";
import { cashOfDay, isAboveCashLimit } from "./cash-limit.ts";

type StoredMode = {
  mode_id: number;
  mode_name: string;
  mode_type: z.infer<typeof paymentMode.schema>["mode_type"];
};

const fields = {
  id: idText,
  external_id: externalIdField("payment", payments.id),
  payment_number: z.string(),
  invoice_id: idText,
  invoice_number: from(invoices.invoiceNumber, z.string()),
  customer_id: idText,
  amount,
  tds_amount: described(amount, "Tax that the payer deducted at source."),
  tds_section: z.string().nullable().describe("The section of law, such as 194J."),
  total_settled: added(
    moneyOnWire.meta({ description: "Money plus tax deducted at source." }),
    (row: Record<"amount" | "tds_amount", number>) => moneyToWire(row.amount + row.tds_amount),
  ),
  currency: z.string(),
  payment_date: z.string().describe("The day the money came."),
  mode_id: internal(paymentModes.id),
  mode_name: internal(paymentModes.name),
  mode_type: internal(paymentModes.modeType),
  payment_mode_id: added(z.int(), ({ mode_id: id }: { mode_id: number }) => id),
  payment_mode: added(paymentMode.schema, (row: StoredMode) => ({
    id: String(row.mode_id),
    name: row.mode_name,
    mode_type: row.mode_type,
  })),
  reference_number: z.string().nullable().describe("A reference of your own."),
  notes: z.string().nullable().describe("For staff."),
  gateway: z.string().nullable().describe("Null where none had a part."),
  gateway_payment_id: z.string().nullable(),
  journal_entry_id: from(
    entryIdOf("payment", payments.id, "receipt"),
    described(nullable(idText), "Null if an account or the financial year could not be resolved."),
  ),
  source: z.enum(["api", "storefront", "booking", "hosted_page"]),
  created_at: instant,
};

/** A payment, with its invoice and its mode beside it. */
export const payment = record(payments, fields, "Payment");
export type PaymentRow = RowOf<typeof payment>;

export const RecordedPayment = payment.schema
  .extend({
    invoice: z.object({
      id: z.string(),
      payment_status: z.enum(["unpaid", "partial", "paid"]),
      amount_paid: moneyOnWire.describe("Without tax deducted at source."),
      tds_amount: moneyOnWire.describe("Tax that the payer deducted at source."),
      amount_due: moneyOnWire,
    }),
    warnings: z
      .array(z.enum([...UNPOSTED_REASONS, "cash_limit_269st"]))
      .optional()
      .describe(
        "Why no journal entry was posted. `cash_limit_269st`: with this payment, the customer's cash of the day is 2,00,000 rupees or more. Section 269ST of India's Income-tax Act forbids to receive it.",
      ),
  })
  .meta({ id: "RecordedPayment" });
/** A payment with what is left of its invoice, as it is stored. */
const recorded = record(payments, {
  ...fields,
  invoice_payment_status: internal(sql<"unpaid" | "partial" | "paid">`${invoices.paymentStatus}`),
  invoice_amount_paid: internal(invoices.amountPaid),
  invoice_tds_amount: internal(invoices.tdsAmount),
  invoice_amount_due: internal(invoices.amountDue),
  unposted: internal(reasonUnposted("payment", sql`${payments.id}`)),
  cash_of_day: internal(cashOfDay),
});
export type RecordedPaymentRow = RowOf<typeof recorded>;

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
  return sql`SELECT ${payment.columns()} AS snapshot FROM ${source()} WHERE ${tail}`;
}

/** The SELECT that recording a payment ends with. */
export function selectRecorded(where: SQL): SQL<RecordedPaymentRow> {
  return sql`SELECT ${recorded.columns()} AS snapshot FROM ${source()} WHERE ${where}`;
}

export function renderRecorded(row: RecordedPaymentRow, ctx: Pick<ReadCtx, "company">) {
  const warnings = [
    ...(row.unposted == null ? [] : [row.unposted]),
    ...(isAboveCashLimit(ctx, row.cash_of_day) ? (["cash_limit_269st"] as const) : []),
  ];
  return {
    ...payment.render(row),
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

/** The data of payment events, also of refunded payments. */
export const paymentResource = resource({
  name: "payment",
  scope: "payments:read",
  record: payment,
  select: (_ctx, id) => selectAnyPayment(sql`${payments.id} = ${id}`),
  alsoRenderedBy: [renderRecorded],
  upgrades: [withExternalId],
});
