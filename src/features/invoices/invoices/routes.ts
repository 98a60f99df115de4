import { Router } from "#api/operations/operation.ts";
import { ReversalDate } from "#features/ledger";
import { requeuing } from "#features/messaging";
import { createInvoice, InvoiceCreate, invoiceIds } from "./create.ts";
import { IssuedInvoice, renderIssued } from "./issued.ts";
import { getInvoice, InvoiceQuery, listInvoices, placeOf } from "./read.ts";
import { invoice, renderInvoice } from "./record.ts";
import { renewHostedUrl } from "./renew-hosted-url.ts";
import { InvoiceSend, renderSentInvoice, SentInvoice, sendInvoice } from "./send.ts";
import { renderVoid, VoidedInvoice, voidInvoice } from "./void.ts";

export const invoiceRoutes = new Router("Invoices", "/", {
  record: { schema: invoice.schema, render: renderInvoice },
})
  .list({ listInvoices }, "/", {
    summary: "List invoices",
    description: "Newest first, each with its lines. Voided invoices never appear.",
    query: InvoiceQuery,
    sort: placeOf,
  })
  .create({ createInvoice }, "/", {
    changes: ["invoice", "product"],
    summary: "Issue an invoice",
    description:
      "The API computes totals, GST by place of supply, round-off and the number. It ignores totals in the request. It posts the journal entry in the same step, or `warnings` say why not.",
    body: InvoiceCreate,
    record: { schema: IssuedInvoice, render: renderIssued },
    externalIds: invoiceIds,
    problems: [
      "currency_not_supported",
      "invalid_state",
      "gst_not_registered",
      "insufficient_stock",
      "number_exhausted",
      "period_locked",
      "return_filed",
    ],
    problemStatuses: { period_locked: 422, return_filed: 422 },
  })
  .get({ getInvoice }, "/:id", {
    summary: "Read an invoice",
    description: "Also a voided invoice, with status `voided`.",
  })
  .patch({ updateInvoice: () => Promise.reject(new Error("updateInvoice is planned")) }, "/:id", {
    summary: "Update a draft invoice (planned)",
    planned: true,
    body: InvoiceCreate,
    problems: ["operation_not_available"],
  })
  .post({ voidInvoice }, "/:id/void", {
    changes: ["invoice", "payment", "product", "order", "booking", "package"],
    summary: "Void an invoice",
    description:
      "Reverses the journal entries of the invoice and of its payments, removes its payments, and returns its stock. The number stays used. It does not refund money paid through a gateway.",
    query: ReversalDate,
    record: { schema: VoidedInvoice, render: renderVoid },
    problems: ["invoice_voided", "has_credit_notes", "has_gateway_refunds", "period_locked", "return_filed"],
  })
  .post({ renewHostedUrl }, "/:id/hosted-url", {
    summary: "Give an invoice a new hosted address",
    description: "The old address answers 404 from then on.",
    problems: ["invoice_voided"],
  })
  .post({ sendInvoice: requeuing(sendInvoice) }, "/:id/send", {
    changes: ["invoice", "message"],
    summary: "Send an invoice by e-mail",
    description:
      "With a link to its hosted page. Goes to `email` and `emails`, or without either to the customer. A draft becomes sent. Each recipient counts against the company's `max_messages_per_day`, and against no limit of the key.",
    body: InvoiceSend,
    takesBlanks: true,
    record: { schema: SentInvoice, render: renderSentInvoice },
    status: 202,
    problems: ["invoice_voided", "customer_email_missing", "no_active_provider", "messaging_daily_cap"],
  });
