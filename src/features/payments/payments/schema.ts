import * as z from "zod";
import { externalIdFilter } from "#shared/fields/external-id.ts";
import { idReference } from "#shared/fields/ids.ts";
import { changeFilters, documentNumber } from "#shared/fields/list-filters.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";

const SMALLEST = 0.01;

export const PaymentRecord = z.object({
  invoice_id: idReference,
  amount: money({ min: SMALLEST }).meta({ description: "Money received, in rupees." }),
  payment_date: isoDate.meta({ description: "Not after today." }),
  payment_mode_id: idReference.meta({ description: "An `id` from the payment methods." }),
  tds_amount: money()
    .optional()
    .meta({ description: "Tax that the customer deducted at source. It also settles the invoice." }),
  tds_section: cleanText({ max: 40 }).nullable().optional().describe("The section of law, such as 194J."),
  reference_number: cleanText({ max: 100 }).nullable().optional().describe("A reference of your own."),
  notes: cleanMultilineText({ max: 500 }).nullable().optional().describe("For staff."),
});

export const PaymentQuery = z.object({
  external_id: externalIdFilter,
  invoice_id: idReference.optional(),
  customer_id: idReference.optional(),
  number: documentNumber,
  payment_mode_id: idReference.optional(),
  payment_date_from: isoDate.optional().meta({ description: "The first `payment_date`, inclusive." }),
  payment_date_to: isoDate.optional().meta({ description: "The last `payment_date`, inclusive." }),
  ...changeFilters,
});

export const RefundedPayment = z
  .object({ id: z.string(), refunded: z.literal(true) })
  .meta({ id: "RefundedPayment" });

export type PaymentRecord = z.infer<typeof PaymentRecord>;
export type PaymentQuery = z.infer<typeof PaymentQuery>;
