import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { CREDITING_PROBLEMS } from "#shared/payments/refunds.ts";
import { createRefund, type PlanBooking, retryRefund } from "./create.ts";
import { Dismiss, dismissRefundReview } from "./dismiss.ts";
import { dueBack, dueExample, listDue } from "./list-due.ts";
import { getRefund, listRefunds } from "./read.ts";
import { newRefundExample, refund, refundExample } from "./record.ts";
import { RefundCreate, RefundQuery } from "./schema.ts";
import { dismissReport, listStrayReports, strayReport, strayReportExample } from "./stray-reports.ts";

/** The operations of refunds; `planBooking` knows what a booking has. */
export const refundRoutes = (planBooking: PlanBooking) =>
  new Router("Refunds")
    .add(
      {
        id: "createRefund",
        takesNoOther: true,
        isFinal: true,
        method: "post",
        changes: ["refund", "order", "booking", "package", "invoice", "credit_note", "payment", "product"],
        path: "/refunds/:company",
        summary: "Refund through the gateway",
        description:
          "Gives money back through the gateway that took it, to the original payment. Money of an order's invoice goes back by a credit note, which this call issues; money of a `capture_id` that an invoice settles needs one first. A refund that the gateway refuses is answered as `failed`. One whose outcome the gateway does not say stays `created`: the API looks until it is known, and never sends twice on a guess. A credit note whose invoice was paid by several payments has a refund of each, the oldest first: `sibling_ids` names the others.",
        scope: "refunds:write",
        body: RefundCreate,
        record: refund,
        status: 201,
        problems: [
          "invalid_status",
          "refund_exceeds_payment",
          "credit_note_required",
          "credit_exhausted",
          "credit_note_voided",
          ...CREDITING_PROBLEMS,
        ],
        example: { body: newRefundExample, result: refundExample },
      },
      (ctx, _params, body) => createRefund(ctx, planBooking, body),
    )
    .list(
      {
        id: "listRefunds",
        path: "/refunds/:company",
        summary: "List refunds",
        description: "Newest first, also those that gateways made by themselves.",
        scope: "payments:read",
        query: RefundQuery,
        record: refund,
        example: { query: { status: "succeeded" }, result: refundExample },
      },
      listRefunds,
    )
    .list(
      {
        id: "listDueRefunds",
        path: "/refunds/:company/due",
        summary: "List what is due back",
        description:
          "Orders whose buyers are owed money, bookings whose money is due back, captures that came twice, wrongly, too late or for nothing, and unused credit of other invoices that a gateway paid. One call of `POST /refunds` with the `ref_id` sends each back. Newest first. Orders in review are listed by `GET /orders/{company}?needs_review=true`.",
        scope: "payments:read",
        record: dueBack,
        example: { result: dueExample },
        sort: (row) => [row.since_ms, row.kind, row.ref_id],
      },
      listDue,
    )
    .list(
      {
        id: "listRefundReports",
        path: "/refunds/:company/reports",
        summary: "List reports of refunds that fit nothing",
        description:
          "What gateways report of refunds of payments that the API does not know, in another currency, or of another amount than is known. They have no effect in the books. Newest first, until they are dismissed.",
        scope: "payments:read",
        record: strayReport,
        example: { result: strayReportExample },
      },
      listStrayReports,
    )
    .add(
      {
        id: "dismissRefundReport",
        takesNoOther: true,
        method: "post",
        path: "/refunds/:company/reports/:id/dismiss",
        summary: "End the review of a report",
        description:
          "Ends the review of a report that fits nothing, with all that its gateway had reported of the same refund: it is listed no more, and the self-check leaves it out. It moves no money and makes no entry. The second of two calls is answered 409.",
        scope: "refunds:write",
        params: RecordParams,
        body: Dismiss,
        record: strayReport,
        problems: ["invalid_status"],
        example: {
          body: { note: "A payment of the old shop, which had the same account." },
          result: { ...strayReportExample, dismissed_at: "2026-11-21T11:00:00.000Z" },
        },
      },
      dismissReport,
    )
    .add(
      {
        id: "getRefund",
        method: "get",
        path: "/refunds/:company/:id",
        summary: "Read a refund",
        scope: "payments:read",
        params: RecordParams,
        record: refund,
        example: { result: refundExample },
      },
      getRefund,
    )
    .add(
      {
        id: "dismissRefundReview",
        takesNoOther: true,
        method: "post",
        changes: ["order", "booking"],
        path: "/refunds/:company/:id/dismiss",
        summary: "End the review of a refund",
        description:
          "Ends the review of money that a gateway or a payer's bank took back of an invoice that was credited in full, where its credit is used: paid out, for example. It moves no money and makes no entry: the customer had the money twice, and owes it in the books. While a credit note of the invoice can still be issued, the call is answered 422.",
        scope: "refunds:write",
        params: RecordParams,
        body: Dismiss,
        record: refund,
        problems: ["invalid_status", "credit_note_required"],
        example: {
          body: { note: "Paid out in cash before the chargeback: the customer was asked for it." },
          result: {
            ...refundExample,
            ...{ source: "chargeback", reason: null, reviewed_at: "2026-11-21T11:00:00.000Z" },
          },
        },
      },
      dismissRefundReview,
    )
    .add(
      {
        id: "retryRefund",
        method: "post",
        changes: ["refund", "order", "booking", "invoice"],
        path: "/refunds/:company/:id/retry",
        summary: "Try a failed refund again",
        description:
          "Makes another refund of the same amount and target, whose `retry_of` names the failed one. A refund is retried once: retry the newest.",
        scope: "refunds:write",
        params: RecordParams,
        record: refund,
        problems: [
          "invalid_status",
          "refund_exceeds_payment",
          "credit_note_required",
          "credit_exhausted",
          "credit_note_voided",
        ],
        example: {
          result: { ...refundExample, id: "6", gateway_refund_id: "rfnd_FP9XBz4tGq1aUe", retry_of: "5" },
        },
      },
      retryRefund,
    );
