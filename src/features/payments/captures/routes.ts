import { Router } from "#api/operations/operation.ts";
import { capture } from "#features/captures";
import { REVERSAL } from "#features/ledger";
import { reopenCapture } from "./reopen-capture.ts";
import { CaptureSettle, settleCapture } from "./settle-capture.ts";

/** What staff do with money that a gateway took: a part of the ledger to its clients. */
export const captureSettleRoutes = new Router("Ledger", "/captures")
  .post({ settleCapture }, "/:id/settle", {
    takesNoOther: true,
    changes: ["invoice", "payment", "order", "package"],
    summary: "Settle money that a gateway took",
    description:
      "Takes what waits of a capture out of Customer Advances, with an entry of today: for money that nothing asked for, that came twice, or in another amount. It was given back outside this service (`outside_reference`), or it pays an invoice (`invoice_id`): so a payment that was taken back by mistake is put back on its invoice. This operation moves no money. Money that an order or a booking is owed pays its own invoice only: else an order in review or owed money is resolved, and the booking of a refund that is due is marked as refunded. The second of two calls is answered 409.",
    body: CaptureSettle,
    record: capture,
    problems: [
      "invalid_status",
      "invoice_voided",
      "already_paid",
      "currency_not_supported",
      "number_exhausted",
    ],
  })
  .post({ reopenCapture }, "/:id/reopen", {
    ...REVERSAL,
    changes: ["order", "booking", "invoice", "refund"],
    summary: "Reopen money that was settled by hand",
    description:
      "Takes back what staff settled by mistake, with an entry of its own: it waits in Customer Advances again, and the order or booking that it came for is owed it. Nothing is to be reopened where its gateway has given it back.",
    record: capture,
    problems: [...REVERSAL.problems, "invalid_status"],
  });
