import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { money } from "#shared/fields/numbers.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { cleanMultilineText, cleanText, searchText } from "#shared/fields/text.ts";
import { REFUND_STATES } from "#shared/payments/refunds.ts";
import { listedOrder } from "./record.ts";

const { status, payment_status: paymentStatus, review_code: reviewCode } = listedOrder.schema.shape;

export const OrderQuery = z.object({
  status: z.enum(status.options).optional(),
  payment_status: z
    .enum(paymentStatus.options)
    .optional()
    .meta({ description: "`review`: money came, but made no invoice." }),
  needs_review: booleanParameter.optional().meta({ description: "Whether it has a `review_code`." }),
  needs_refund: booleanParameter.optional().meta({
    description:
      "Whether money is owed back: the order was paid twice, another amount came besides the exact one, its invoice was voided or credited, or its gateway payment was taken back. `needs_review` lists orders whose money waits in review.",
  }),
  refund_status: z
    .enum(REFUND_STATES)
    .optional()
    .meta({ description: "What of all that came went back through gateways." }),
  review_code: z.enum(reviewCode.unwrap().options).optional().describe("Why staff must review it."),
  customer_id: idReference.optional(),
  ...recordFilters,
  q: searchText.optional().meta({
    description:
      "Part of the order number, or of the shopper's e-mail address or name; or the reference that the gateway has of the payment, a ULID.",
  }),
});

export const ResolveOrder = z.object({
  action: z.enum(["invoice", "refund", "cancel", "dismiss"]).meta({
    description:
      "`invoice`: for an order in review that was paid exactly (`tax_amount_implausible`, `customer_gone`, `effect_refused`). `refund`: gives back through its gateway what is due of it, or all; asks also for `refunds:write`. `cancel`: for an unpaid draft. `dismiss`: staff have reviewed it.",
  }),
  note: cleanMultilineText({ max: 500 })
    .nullish()
    .meta({ description: "Stored in the audit log, together with the `outside_reference`." }),
  tax_amount: money().nullish().meta({
    description:
      "With `invoice`: the tax inside the order's total, instead of the tax that the shop stated. 0: the API computes it from the rates of the lines.",
  }),
  outside_reference: cleanText({ min: 1, max: 200 }).nullish().meta({
    description:
      "With `dismiss`: the reference of the refund outside this service. Required if money is owed back.",
  }),
  payment_mode_id: idReference.nullish().meta({
    description:
      "With `dismiss` and an `outside_reference`: the payment mode by which the money was given back. Default: at the gateway.",
  }),
  restock: z.boolean().nullish().meta({
    description: "With `refund` of an order that has an invoice: whether the goods return to stock.",
  }),
  if_updated_at: instant.nullish().meta({
    description:
      "The `updated_at` that you read. If the order has changed since, the answer is 409 `version_conflict`.",
  }),
});

export type OrderQuery = z.infer<typeof OrderQuery>;
export type ResolveOrder = z.infer<typeof ResolveOrder>;
