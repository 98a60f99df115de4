import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { isoDate } from "#shared/time/dates.ts";
import { paymentMode } from "../modes/modes.ts";

const SMALLEST = 0.01;

export const PaymentRecord = z.object({
  invoice_id: idReference,
  amount: money({ min: SMALLEST }).meta({ description: "Money received, in rupees." }),
  payment_date: isoDate,
  payment_mode_id: idReference.meta({ description: "An `id` from the payment methods." }),
  tds_amount: money()
    .optional()
    .meta({ description: "Tax that the customer deducted at source. It also settles the invoice." }),
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
    total_settled: z.number().meta({ description: "Money plus tax deducted at source." }),
    currency: z.string(),
    payment_date: z.string(),
    payment_mode_id: z.int(),
    payment_mode: paymentMode.schema,
    reference_number: z.string().nullable(),
    notes: z.string().nullable(),
    gateway: z.string().nullable(),
    gateway_payment_id: z.string().nullable(),
    journal_entry_id: z
      .string()
      .nullable()
      .meta({ description: "Null if an account or the financial year could not be resolved." }),
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
  warnings: z
    .array(z.enum([...UNPOSTED_REASONS, "cash_limit_269st"]))
    .optional()
    .meta({
      description:
        "Why no journal entry was posted. `cash_limit_269st`: with this payment, the customer's cash of the day is 2,00,000 rupees or more. Section 269ST of India's Income-tax Act forbids to receive it.",
    }),
});
export const RefundedPayment = z.object({ id: z.string(), refunded: z.literal(true) });

export type PaymentRecord = z.infer<typeof PaymentRecord>;
export type PaymentQuery = z.infer<typeof PaymentQuery>;
