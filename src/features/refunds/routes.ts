import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { createRefund, retryRefund } from "./create.ts";
import { getRefund, listRefunds } from "./read.ts";
import { newRefundExample, refund, refundExample } from "./record.ts";
import { RefundCreate, RefundQuery } from "./schema.ts";

export const refundRoutes = new Router("Refunds")
  .add(
    {
      id: "createRefund",
      method: "post",
      changes: ["refund", "invoice"],
      path: "/refunds/:company",
      summary: "Refund through the gateway",
      description:
        "Gives money back through the gateway that took it, to the original payment. Money of an invoice needs a credit note first. A refund that the gateway refuses is answered as `failed`. One whose outcome the gateway does not say stays `created`: the API looks until it is known, and never sends twice on a guess. A credit note whose invoice was paid by several payments has a refund of each, the oldest first: `sibling_ids` names the others.",
      scope: "refunds:write",
      body: RefundCreate,
      result: refund.schema,
      status: 201,
      problems: ["refund_exceeds_payment", "credit_note_required", "credit_exhausted", "credit_note_voided"],
      example: { body: newRefundExample, result: refundExample },
      render: refund.render,
    },
    createRefund,
  )
  .list(
    {
      id: "listRefunds",
      method: "get",
      path: "/refunds/:company",
      summary: "List refunds",
      description: "Newest first, also those that gateways made by themselves.",
      scope: "payments:read",
      query: RefundQuery,
      result: refund.schema,
      example: { query: { status: "succeeded" }, result: refundExample },
      render: refund.render,
      sort: (row) => [row.id],
    },
    listRefunds,
  )
  .add(
    {
      id: "getRefund",
      method: "get",
      path: "/refunds/:company/:id",
      summary: "Read a refund",
      scope: "payments:read",
      params: RecordParams,
      result: refund.schema,
      example: { result: refundExample },
      render: refund.render,
    },
    getRefund,
  )
  .add(
    {
      id: "retryRefund",
      method: "post",
      changes: ["refund", "invoice"],
      path: "/refunds/:company/:id/retry",
      summary: "Try a failed refund again",
      description:
        "Makes another refund of the same amount and target, whose `retry_of` names the failed one. A refund is retried once: retry the newest.",
      scope: "refunds:write",
      params: RecordParams,
      result: refund.schema,
      problems: [
        "invalid_status",
        "refund_exceeds_payment",
        "credit_note_required",
        "credit_exhausted",
        "credit_note_voided",
      ],
      example: { result: { ...refundExample, id: "6", retry_of: "5" } },
      render: refund.render,
    },
    retryRefund,
  );
