import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { money, quantity } from "#shared/fields/numbers.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { cleanMultilineText, cleanText, isSeen } from "#shared/fields/text.ts";
import { CREDIT_REASONS } from "#shared/payments/credit-reasons.ts";
import { isoDate } from "#shared/time/dates.ts";

const MOST_ITEMS = 200;
const SMALLEST = 0.01;

const CreditedItem = z
  .object({
    invoice_item_id: idReference.meta({ description: "A line of the invoice, by its `id`." }),
    quantity: quantity().nullish().meta({ description: "Goods that came back or were never delivered." }),
    taxable_amount: money({ min: SMALLEST }).nullish().meta({
      description: "A part of the price, before tax. Exactly one of `quantity` and `taxable_amount`.",
    }),
  })
  .refine((item) => (item.quantity == null) !== (item.taxable_amount == null), {
    path: ["quantity"],
    params: { code: "exactly_one" },
    error: "or taxable_amount is required, and not both",
  });

export const CreditNoteCreate = z
  .object({
    items: z
      .array(CreditedItem)
      .min(1)
      .max(MOST_ITEMS)
      .optional()
      .meta({ description: "Default: all that is left of the invoice." }),
    gross_amount: money({ min: SMALLEST }).nullish().meta({
      description:
        "Instead of `items`: the `total_amount` of the note, spread over what is left of all lines with their tax (of a commercial note without it). Its `round_off` bears what rounded tax misses.",
    }),
    invoice_item_id: idReference
      .nullish()
      .meta({ description: "With `gross_amount`: the one line that it is taken off." }),
    reason: z.enum(CREDIT_REASONS).meta({ description: "Without a body: `cancellation`." }),
    reason_text: cleanMultilineText({ max: 500 }).nullish().describe("Required for the reason `other`."),
    restock: z.boolean().default(false).meta({
      description:
        "Whether the goods return to stock, also free ones and those whose price was credited before. Each line of `items` must then be of a tracked product, by quantity.",
    }),
    with_tax: z.boolean().optional().meta({
      description:
        "False: a commercial note, which gives back value only: exactly the amounts sent, under a number and a title of its own. Default: true until 30 November after the financial year of the invoice (or until the annual return, if that is earlier, which you must know), then false.",
    }),
    note_date: isoDate
      .optional()
      .meta({ description: "Default: today. Not before the invoice date, and not after today." }),
    metadata: metadata.optional(),
  })
  .refine((body) => body.gross_amount == null || (body.items === undefined && !body.restock), {
    path: ["gross_amount"],
    params: { code: "not_accepted" },
    error: "does not go with items or restock",
  })
  .refine((body) => body.invoice_item_id == null || body.gross_amount != null, {
    path: ["invoice_item_id"],
    params: { code: "not_accepted" },
    error: "goes with gross_amount",
  })
  .refine((body) => body.reason !== "other" || isSeen(body.reason_text), {
    path: ["reason_text"],
    params: { code: "required" },
    error: "is required for the reason other",
  });

export const CreditNoteQuery = z.object({
  customer_id: idReference.optional(),
  invoice_id: idReference.optional(),
  from: isoDate.optional().meta({ description: "The first `note_date`, inclusive." }),
  to: isoDate.optional().meta({ description: "The last `note_date`, inclusive." }),
  has_credit: booleanParameter.optional().meta({ description: "Whether some of it is not used yet." }),
  ...recordFilters,
});

export const CreditApply = z.object({
  invoice_id: idReference.meta({ description: "Another invoice of the same customer and currency." }),
  amount: money({ min: SMALLEST }).meta({ description: "What it takes off the amount due." }),
});

export const PayoutCreate = z.object({
  amount: money({ min: SMALLEST }).meta({ description: "Money that was given back by hand." }),
  payout_date: isoDate.meta({
    description: "The day the money was given back. Not before the date of the note, and not after today.",
  }),
  payment_mode_id: idReference.meta({ description: "An `id` from the payment methods." }),
  reference_number: cleanText({ max: 100 }).nullish().describe("A reference of your own."),
});

export const VoidedCreditNote = z
  .object({ id: z.string(), voided: z.literal(true) })
  .meta({ id: "VoidedCreditNote" });

export type CreditNoteCreate = z.infer<typeof CreditNoteCreate>;
export type CreditNoteQuery = z.infer<typeof CreditNoteQuery>;
export type CreditApply = z.infer<typeof CreditApply>;
export type PayoutCreate = z.infer<typeof PayoutCreate>;
