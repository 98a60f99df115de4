import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { money } from "#shared/fields/numbers.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { GatewayPayment } from "#shared/payments/gateway-payment.ts";
import { isoDate, timestamp } from "#shared/time/dates.ts";
import { Order } from "./schema.ts";

const REVIEW_CODES = [
  "amount_mismatch",
  "tax_amount_implausible",
  "customer_gone",
  "effect_refused",
  "oversold",
  "refunded_at_gateway",
  "overcaptured",
  "packages_missing",
] as const;

const { status, payment_status: paymentStatus } = Order.shape;

export const OrderQuery = z.object({
  status: z.enum(status.options).optional(),
  payment_status: z
    .enum(paymentStatus.options)
    .optional()
    .meta({ description: "`review`: money came, and no invoice was made of it." }),
  needs_review: booleanParameter.optional().meta({ description: "Whether it has a `review_code`." }),
  needs_refund: booleanParameter.optional().meta({
    description:
      "Whether money of it is owed back: it was paid twice, another amount came beside the exact one, or its invoice was voided or its gateway payment taken back. Money that waits in review is under `needs_review`.",
  }),
  review_code: z.enum(REVIEW_CODES).optional().meta({ description: "Why somebody has to look at it." }),
  customer_id: idReference.optional(),
  created_from: isoDate
    .optional()
    .meta({ description: "The first day of its checkout, in the company's time zone." }),
  created_to: isoDate.optional().meta({ description: "The last day of its checkout, inclusive." }),
  q: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "Part of the order number, or of the shopper's e-mail address or name." }),
});

export const ResolveOrder = z.object({
  action: z.enum(["invoice", "cancel", "dismiss"]).meta({
    description:
      "`invoice`: of an order in review whose exact money came (`tax_amount_implausible`, `customer_gone`, `effect_refused`). `cancel`: a draft that is not paid. `dismiss`: somebody has looked at it.",
  }),
  note: cleanMultilineText({ max: 500 })
    .nullish()
    .meta({ description: "Kept in the audit log, the `outside_reference` with it." }),
  tax_amount: money().nullish().meta({
    description:
      "With `invoice`: the tax inside the order's total, in place of the one that the shop stated. 0: worked out from the rates of the lines.",
  }),
  outside_reference: cleanText({ min: 1, max: 200 }).nullish().meta({
    description:
      "With `dismiss`: by what money was given back outside of this service; required where money is owed back.",
  }),
  if_updated_at: timestamp
    .nullish()
    .meta({ description: "The `updated_at` that was seen; another one is answered 409 `version_conflict`." }),
});

export const ListedOrder = Order.extend({
  id: z.string(),
  customer_id: z.string(),
  needs_review: z.boolean().meta({ description: "Somebody has to look at it: `review_code` says why." }),
  review_code: z.enum(REVIEW_CODES).nullable().meta({
    description:
      "`amount_mismatch`: another amount came. `tax_amount_implausible`: the stated tax is that of no rate there is. `customer_gone`: its customer was deleted. `effect_refused`: the invoice could not be made, or its money came after the order was ended. `oversold`: its sale took stock below zero. `refunded_at_gateway`: the gateway gave money back. `overcaptured`: more came than the price and a fee. `packages_missing`: a package could not be granted.",
  }),
  reviewed_at: z
    .string()
    .nullable()
    .meta({ description: "When it was last invoiced by hand, cancelled or dismissed." }),
  oversold: z.boolean().meta({ description: "Its sale took stock below zero." }),
  overcaptured_amount: z.number().meta({ description: "What came above the price." }),
  outside_reference: z
    .string()
    .nullable()
    .meta({ description: "By what money was last given back outside of this service." }),
  payments: z
    .array(GatewayPayment)
    .meta({ description: "The payments that were started at gateways, oldest first." }),
  updated_at: z.string(),
}).meta({ id: "ListedOrder" });

export type OrderQuery = z.infer<typeof OrderQuery>;
export type ResolveOrder = z.infer<typeof ResolveOrder>;
