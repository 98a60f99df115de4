import { Router } from "#api/operations/operation.ts";
import { ReversalDate } from "#features/ledger";
import { getPayment, listPayments } from "./read.ts";
import { payment, RecordedPayment, renderRecorded } from "./record.ts";
import { paymentIds, recordPayment } from "./record-payment.ts";
import { refundPayment } from "./refund.ts";
import { PaymentQuery, PaymentRecord, RefundedPayment } from "./schema.ts";

export const paymentListRoutes = new Router("Payments", "/")
  .list({ listPayments }, "/", {
    summary: "List payments",
    description: "Newest first, without refunded payments.",
    query: PaymentQuery,
    sort: (row) => [row.listed_at ?? row.payment_date, row.created_at, row.id],
    record: payment,
  })
  .create({ recordPayment }, "/", {
    changes: ["payment", "invoice"],
    summary: "Record a payment",
    description:
      "Settles the invoice and posts a receipt entry. If an account or the financial year cannot be resolved, the payment is recorded with `journal_entry_id` null. Cash of 2,00,000 rupees or more from one customer on one day is also recorded, with `warnings`.",
    body: PaymentRecord,
    record: { schema: RecordedPayment, render: renderRecorded },
    externalIds: paymentIds,
    problems: [
      "not_found",
      "invoice_voided",
      "currency_not_supported",
      "payment_mode_inactive",
      "amount_exceeds_due",
      "number_exhausted",
      "period_locked",
    ],
    problemStatuses: { period_locked: 422 },
  });

export const paymentRoutes = new Router("Payments", "/")
  .get({ getPayment }, "/:id", {
    summary: "Read a payment",
    record: payment,
  })
  .post({ refundPayment }, "/:id/refund", {
    changes: ["payment", "invoice", "order", "booking", "package"],
    summary: "Refund a payment",
    description:
      "Refunds in full: the API removes the payment, reverses its entry, and the invoice is due again. It reads no body, and does not refund money through a gateway. A payment of a gateway whose money went back, at the gateway or by credit notes of its invoice, is not taken back.",
    query: ReversalDate,
    record: { schema: RefundedPayment, render: (row) => ({ id: String(row.id), refunded: true as const }) },
    problems: ["has_gateway_refunds", "has_credit_notes", "period_locked", "return_filed"],
    problemStatuses: { period_locked: 422, return_filed: 422 },
  });
