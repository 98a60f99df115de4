import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanMultilineText } from "#shared/fields/text.ts";
import { REFUND_REASONS, REFUND_STATUSES } from "#shared/payments/refunds.ts";

const SMALLEST = 0.01;

export const RefundCreate = z
  .object({
    capture_id: idReference.nullish().meta({
      description: "A capture: its money that no invoice settles, which waits in Customer Advances.",
    }),
    credit_note_id: idReference.nullish().meta({
      description:
        "Or a credit note: its unused credit, through the captures that its invoice was paid with. Exactly one of `capture_id` and `credit_note_id`.",
    }),
    amount: money({ min: SMALLEST })
      .nullish()
      .meta({ description: "Default: all that can be given back there." }),
    reason: z.enum(REFUND_REASONS),
    reason_text: cleanMultilineText({ max: 500 })
      .nullish()
      .meta({ description: "Required for the reason `other`." }),
  })
  .refine((body) => (body.capture_id == null) !== (body.credit_note_id == null), {
    path: ["capture_id"],
    params: { code: "exactly_one" },
    error: "or credit_note_id is required, and not both",
  })
  .refine((body) => body.reason !== "other" || body.reason_text != null, {
    path: ["reason_text"],
    params: { code: "required" },
    error: "is required for the reason other",
  });
export type RefundCreate = z.infer<typeof RefundCreate>;

export const RefundQuery = z.object({
  status: z.enum(REFUND_STATUSES).optional(),
  capture_id: idReference.optional().meta({ description: "Refunds of this capture." }),
  credit_note_id: idReference.optional().meta({ description: "Refunds of this credit note." }),
});
export type RefundQuery = z.infer<typeof RefundQuery>;
