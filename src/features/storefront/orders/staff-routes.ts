import { Router } from "#api/operations/operation.ts";
import { getListedOrder, listOrders } from "./list.ts";
import { listedOrder } from "./record.ts";
import { resolveOrder } from "./resolve.ts";
import { OrderQuery, ResolveOrder } from "./staff-schema.ts";

/** The orders of all shops, for the staff; a shop's own key must not list its shoppers. */
export const orderStaffRoutes = new Router("Orders", "/", { record: listedOrder })
  .list({ listOrders }, "/", {
    summary: "List the orders",
    description:
      "Orders of all shops, newest first. `needs_review` lists orders that staff must review, `needs_refund` orders whose buyer is owed money.",
    query: OrderQuery,
  })
  .get({ getListedOrder }, "/:id", {
    summary: "Read an order with its payments",
  })
  .post({ resolveOrder }, "/:id/resolve", {
    takesNoOther: true,
    changes: ["order", "invoice", "credit_note", "payment", "refund", "product", "package", "customer"],
    summary: "Resolve an order that waits for review",
    description:
      "`invoice` makes the invoice, dated today, over the order's total. The tax is the one in this request. Without it, the tax is the one that the shop stated, if a rate explains it. Otherwise the API computes the tax inside the total by the rates of the lines. A deleted customer is matched again, as at checkout. `refund` does what `POST /refunds` does with the `order_id` and no amount, for the reason `cancellation`, and answers once its gateway has. It credits the sale only while the sale is reviewed; where nothing is due, the answer is 409. `cancel` ends a draft; if its buyer pays later, the money waits in review (`effect_refused`). `dismiss` clears the review code, and cancels an order whose money waits in review. It moves no money: put the reference of the refund outside this service in `outside_reference`. Unused credit of the order's invoice is paid out first, with `POST /credit-notes/{company}/{id}/payouts`: until then the answer is 409 `has_credit_notes`. The second of two calls is answered 409.",
    body: ResolveOrder,
    problems: [
      "invalid_status",
      "version_conflict",
      "tax_amount_implausible",
      "refund_exceeds_payment",
      "refund_in_progress",
      "has_credit_notes",
      "credit_exhausted",
      "credit_exceeds_invoice",
      "limit_reached",
      "period_locked",
      "number_exhausted",
    ],
  });
