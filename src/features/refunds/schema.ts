import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { timeFilters } from "#shared/fields/list-filters.ts";
import { money, quantity } from "#shared/fields/numbers.ts";
import { cleanMultilineText, isSeen } from "#shared/fields/text.ts";
import { REFUND_REASONS, REFUND_SPEEDS, REFUND_STATUSES } from "#shared/payments/refunds.ts";

const SMALLEST = 0.01;
const MOST_ITEMS = 200;

const Item = z.object({
  item: z.int().min(1).max(1_000).meta({
    description: "A line of the order, by its number: 1 is the first. Shipping is the line after the last.",
  }),
  quantity: quantity().meta({ description: "How much of it is given back." }),
});
const TARGETS = ["order_id", "booking_id", "capture_id", "credit_note_id"] as const;

export const RefundCreate = z
  .object({
    order_id: idReference.nullish().meta({
      description:
        "An order. What is due of it goes back: what waits of its captures, and unused credit of its invoice. Where nothing is due, a credit note is issued for its invoice, and goes back with what older notes leave; not for the reasons `duplicate_payment` and `late_payment`.",
    }),
    booking_id: z.string().max(40).nullish().meta({
      description:
        "Or a booking: what came for it, also of a lesson that has begun. Its invoice is voided, or its receipt ends. Of an invoice that cannot be voided, and for a part of a paid booking, what waits goes back first, then unused credit of its notes, then the rest by another credit note. For the reasons `duplicate_payment` and `late_payment`, only what came besides the price of a paid booking goes back.",
    }),
    capture_id: idReference.nullish().meta({
      description: "Or a capture: its money that no invoice settles, which waits in Customer Advances.",
    }),
    credit_note_id: idReference.nullish().meta({
      description:
        "Or a credit note: its unused credit, through the captures that its invoice was paid with. Exactly one of the four.",
    }),
    amount: money({ min: SMALLEST })
      .nullish()
      .meta({ description: "Default: all that can be given back there." }),
    items: z.array(Item).min(1).max(MOST_ITEMS).nullish().meta({
      description:
        "With an `order_id` that has an invoice, instead of an `amount`: the lines that are credited. What is due goes back with them.",
    }),
    restock: z.boolean().nullish().meta({
      description:
        "With an `order_id` that has an invoice, and no `amount`: whether the goods return to stock.",
    }),
    reason: z.enum(REFUND_REASONS),
    reason_text: cleanMultilineText({ max: 500 })
      .nullish()
      .meta({ description: "Required for the reason `other`." }),
    speed: z.enum(REFUND_SPEEDS).nullish().meta({
      description:
        "Default: `normal`, which takes 5 to 7 working days. `instant` is Razorpay's, which charges a fee for it.",
    }),
  })
  .refine((body) => TARGETS.filter((target) => body[target] != null).length === 1, {
    path: ["order_id"],
    params: { code: "exactly_one" },
    error: "or booking_id, capture_id or credit_note_id is required, and only one of them",
  })
  .refine((body) => body.order_id != null || (body.items == null && body.restock !== true), {
    path: ["items"],
    params: { code: "not_accepted" },
    error: "and restock are for an order",
  })
  .refine((body) => body.amount == null || (body.items == null && body.restock !== true), {
    path: ["amount"],
    params: { code: "not_accepted" },
    error: "does not go with items or restock",
  })
  .refine((body) => body.reason !== "other" || isSeen(body.reason_text), {
    path: ["reason_text"],
    params: { code: "required" },
    error: "is required for the reason other",
  });
export type RefundCreate = z.infer<typeof RefundCreate>;

export const RefundQuery = z.object({
  status: z.enum(REFUND_STATUSES).optional(),
  order_id: idReference.optional(),
  booking_id: z.string().max(40).optional(),
  capture_id: idReference.optional(),
  credit_note_id: idReference.optional(),
  ...timeFilters,
});
export type RefundQuery = z.infer<typeof RefundQuery>;
