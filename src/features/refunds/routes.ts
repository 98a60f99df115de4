import { Router } from "#api/operations/operation.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { CREDITING_PROBLEMS } from "#shared/payments/refunds.ts";
import { createRefund, type PlanBooking, retryRefund } from "./create.ts";
import { Dismiss, dismissRefundReview } from "./dismiss.ts";
import { dueBack, listDue } from "./list-due.ts";
import { getRefund, listRefunds } from "./read.ts";
import { refund } from "./record.ts";
import { RefundCreate, RefundQuery } from "./schema.ts";
import { dismissReport, strayReport, waits } from "./stray-reports.ts";

const SENDING_PROBLEMS = [
  "invalid_status",
  "refund_exceeds_payment",
  "credit_note_required",
  "credit_exhausted",
  "credit_note_voided",
] as const;

/** The operations of refunds; `planBooking` knows what a booking has. */
export const refundRoutes = (planBooking: PlanBooking) =>
  new Router("Refunds", "/", { record: refund })
    .create({ createRefund: (ctx, _params, body) => createRefund(ctx, planBooking, body) }, "/", {
      takesNoOther: true,
      isFinal: true,
      changes: ["refund", "order", "booking", "package", "invoice", "credit_note", "payment", "product"],
      summary: "Refund through the gateway",
      description:
        "Gives money back through the gateway that took it, to the original payment. Money of an order's invoice goes back by a credit note, which this call issues; money of a `capture_id` that an invoice settles needs one first. A refund that the gateway refuses is answered as `failed`. One whose outcome the gateway does not say stays `created`: the API looks until it is known, and never sends twice on a guess. A credit note whose invoice was paid by several payments has a refund of each, the oldest first: `sibling_ids` names the others.",
      body: RefundCreate,
      problems: [...SENDING_PROBLEMS, ...CREDITING_PROBLEMS],
    })
    .list({ listRefunds }, "/", {
      summary: "List refunds",
      description: "Newest first, also those that gateways made by themselves.",
      query: RefundQuery,
    })
    .list({ listDueRefunds: listDue }, "/due", {
      summary: "List what is due back",
      description:
        "Orders whose buyers are owed money, bookings whose money is due back, captures that came twice, wrongly, too late or for nothing, and unused credit of other invoices that a gateway paid. One call of `POST /refunds` with the `ref_id` sends each back. Newest first. Orders in review are listed by `GET /orders/{company}?needs_review=true`.",
      record: dueBack,
      sort: (row) => [row.since_ms, row.kind, row.ref_id],
    })
    .list(
      { listRefundReports: (ctx, _params, { page }) => readNewest(ctx, page, strayReport, waits) },
      "/reports",
      {
        summary: "List reports of refunds that fit nothing",
        description:
          "What gateways report of refunds of payments that the API does not know, in another currency, or of another amount than is known. They have no effect in the books. Newest first, until they are dismissed.",
        record: strayReport,
      },
    )
    .post({ dismissRefundReport: dismissReport }, "/reports/:id/dismiss", {
      takesNoOther: true,
      summary: "End the review of a report",
      description:
        "Ends the review of a report that fits nothing, with all that its gateway had reported of the same refund: it is listed no more, and the self-check leaves it out. It moves no money and makes no entry. The second of two calls is answered 409.",
      body: Dismiss,
      record: strayReport,
      problems: ["invalid_status"],
    })
    .get({ getRefund }, "/:id", { summary: "Read a refund" })
    .post({ dismissRefundReview }, "/:id/dismiss", {
      takesNoOther: true,
      changes: ["order", "booking"],
      summary: "End the review of a refund",
      description:
        "Ends the review of money that a gateway or a payer's bank took back of an invoice that was credited in full, where its credit is used: paid out, for example. It moves no money and makes no entry: the customer had the money twice, and owes it in the books. While a credit note of the invoice can still be issued, the call is answered 422.",
      body: Dismiss,
      problems: ["invalid_status", "credit_note_required"],
    })
    .post({ retryRefund }, "/:id/retry", {
      changes: ["refund", "order", "booking", "invoice"],
      summary: "Try a failed refund again",
      description:
        "Makes another refund of the same amount and target, whose `retry_of` names the failed one. A refund is retried once: retry the newest.",
      problems: SENDING_PROBLEMS,
    });
