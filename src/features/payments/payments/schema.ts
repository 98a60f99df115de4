import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { postingWarnings } from "#shared/payments/posting.ts";
import { isoDate } from "#shared/time/dates.ts";
import { PaymentMode } from "../modes/schema.ts";

const SMALLEST = 0.01;

export const PaymentRecord = z.object({
  invoice_id: idReference,
  amount: money({ min: SMALLEST }).meta({ description: "Money received, in rupees." }),
  payment_date: isoDate,
  payment_mode_id: idReference.meta({ description: "An `id` from the payment methods." }),
  tds_amount: money()
    .optional()
    .meta({ description: "Tax the customer deducted at source; settles the invoice too." }),
  tds_section: cleanText({ max: 40 }).nullable().optional(),
  reference_number: cleanText({ max: 100 }).nullable().optional(),
  notes: cleanMultilineText({ max: 500 }).nullable().optional(),
});

export const PaymentQuery = z.object({
  invoice_id: idReference.optional(),
  customer_id: idReference.optional(),
});

export const Payment = z
  .object({
    id: z.string(),
    payment_number: z.string(),
    invoice_id: z.string(),
    invoice_number: z.string(),
    customer_id: z.string(),
    amount: z.number(),
    tds_amount: z.number(),
    tds_section: z.string().nullable(),
    total_settled: z.number().meta({ description: "Money and tax deducted at source together." }),
    currency: z.string(),
    payment_date: z.string(),
    payment_mode_id: z.int(),
    payment_mode: PaymentMode,
    reference_number: z.string().nullable(),
    notes: z.string().nullable(),
    gateway: z.string().nullable(),
    gateway_payment_id: z.string().nullable(),
    journal_entry_id: z
      .string()
      .nullable()
      .meta({ description: "Null where an account or the financial year could not be resolved." }),
    source: z.enum(["api", "storefront"]),
    created_at: z.string(),
  })
  .meta({ id: "Payment" });
export const RecordedPayment = Payment.extend({
  invoice: z.object({
    id: z.string(),
    payment_status: z.enum(["unpaid", "partial", "paid"]),
    amount_paid: z.number(),
    tds_amount: z.number(),
    amount_due: z.number(),
  }),
  warnings: postingWarnings,
});
export const RefundedPayment = z.object({ id: z.string(), refunded: z.literal(true) });

export type PaymentRecord = z.infer<typeof PaymentRecord>;
export type PaymentQuery = z.infer<typeof PaymentQuery>;
