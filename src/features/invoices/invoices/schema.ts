import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { idReference } from "#shared/fields/ids.ts";
import { sendAt } from "#shared/fields/instant.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { money, percent, quantity, unitPrice } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { postingWarnings } from "#shared/payments/posting-warnings.ts";
import { stateName } from "#shared/places/states.ts";
import { isoDate } from "#shared/time/dates.ts";
import { InvoiceCustomer, InvoiceSeller } from "./party-schema.ts";

const MOST_ITEMS = 200;

const hsnSacCode = z.string().regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits");

/** Whether the line has a rate, or a product that has one. Checked of lines with other errors too. */
function hasRate(item: { tax_rate?: unknown; product_id?: unknown } | null): boolean {
  return item?.tax_rate != null || item?.product_id != null;
}

const InvoiceItemCreate = z
  .object({
    item_name: cleanText({ min: 1, max: 255 }),
    quantity: quantity(),
    unit: cleanText({ min: 1, max: 20 }).meta({
      description: "A unit code such as NOS or KGS, or your own.",
    }),
    unit_price: unitPrice().meta({ description: "Before tax, in rupees." }),
    tax_rate: percent().nullish().meta({
      description: "The whole GST rate, in percent. Optional with a `product_id` whose product has a rate.",
    }),
    product_id: idReference
      .nullable()
      .optional()
      .meta({ description: "Links the line to the stock of a product." }),
    description: cleanMultilineText({ max: 1_000 }).nullable().optional(),
    hsn_sac_code: hsnSacCode.nullable().optional().meta({ description: "Default: the product's." }),
    discount_amount: money()
      .optional()
      .meta({ description: "The discount on the line before tax. At most quantity times price." }),
  })
  .refine(hasRate, {
    path: ["tax_rate"],
    params: { code: "required" },
    error: "is required",
    when: ({ value }) => typeof value === "object",
  });

export const InvoiceCreate = z.object({
  customer_id: idReference,
  items: z.array(InvoiceItemCreate).min(1).max(MOST_ITEMS),
  invoice_date: isoDate.optional().meta({
    description:
      "Default: today in the company's time zone. From 2000-04-01, and at most a year ahead, because invoice numbers name the financial year by two digits.",
  }),
  due_date: isoDate
    .optional()
    .meta({ description: "Default: the invoice date plus the customer's payment terms." }),
  place_of_supply: z
    .string()
    .refine((code) => stateName(code) !== undefined, {
      params: { code: "invalid_state" },
      error: "must be the two-digit GST code of a state",
    })
    .optional()
    .meta({ description: "Default: from the customer's GSTIN or state." }),
  currency: z
    .string()
    .refine((code) => code === "INR", { params: { code: "currency_not_supported" }, error: "must be INR" })
    .optional(),
  reference_number: cleanText({ max: 100 }).nullable().optional(),
  notes: cleanMultilineText({ max: 2_000 }).nullable().optional(),
  terms: cleanMultilineText({ max: 5_000 }).nullable().optional(),
  apply_round_off: z.boolean().default(true).meta({ description: "Rounds the total to whole rupees." }),
  metadata: metadata.optional(),
});

export const PAYMENT_STATUSES = ["unpaid", "partial", "paid"] as const;
export const InvoiceQuery = z.object({
  status: z.enum(PAYMENT_STATUSES).optional().meta({ description: "The payment status." }),
  customer_id: idReference.optional(),
});

const InvoiceItem = z.object({
  id: z.string(),
  product_id: z.string().nullable(),
  item_name: z.string(),
  description: z.string().nullable(),
  hsn_sac_code: z.string().nullable(),
  quantity: z.number(),
  unit: z.string(),
  unit_price: z.number(),
  discount_amount: z.number(),
  taxable_value: z.number(),
  tax_rate: z.number(),
  cgst_rate: z.number(),
  cgst_amount: z.number(),
  sgst_rate: z.number(),
  sgst_amount: z.number(),
  igst_rate: z.number(),
  igst_amount: z.number(),
  tax_amount: z.number(),
  total: z.number(),
});

const TaxBreakup = z.object({
  tax_rate: z.number(),
  hsn_sac_code: z.string().nullable(),
  taxable_value: z.number(),
  cgst_amount: z.number(),
  sgst_amount: z.number(),
  igst_amount: z.number(),
});

export const Invoice = z
  .object({
    id: z.string(),
    invoice_number: z.string(),
    status: z
      .enum(["draft", "sent", "voided"])
      .meta({ description: "`draft`: not yet sent to the customer." }),
    payment_status: z.enum(PAYMENT_STATUSES),
    is_overdue: z.boolean(),
    currency: z.string(),
    exchange_rate: z.number().nullable(),
    customer_id: z.string(),
    customer: InvoiceCustomer.meta({
      description: "The buyer when the invoice was issued. For an order, the buyer as sent at checkout.",
    }),
    seller: InvoiceSeller.meta({ description: "The company as it was when the invoice was issued." }),
    invoice_date: z.string(),
    due_date: z.string(),
    financial_year: z.string(),
    place_of_supply: z.object({ code: z.string(), name: z.string() }).nullable(),
    supply_type: z.enum(["intra", "inter", "export"]),
    zero_rated: z
      .enum(["with_payment", "without_payment"])
      .nullable()
      .meta({ description: "For supplies abroad or to a special economic zone: whether IGST is charged." }),
    items: z.array(InvoiceItem),
    tax_breakup: z.array(TaxBreakup),
    sub_total: z.number(),
    discount_total: z.number(),
    taxable_total: z.number(),
    cgst_total: z.number(),
    sgst_total: z.number(),
    igst_total: z.number(),
    tax_total: z.number(),
    round_off: z.number(),
    total_amount: z.number(),
    amount_paid: z.number().meta({ description: "Money received, without tax deducted at source." }),
    tds_amount: z.number(),
    amount_due: z.number(),
    journal_entry_id: z.string().nullable(),
    hosted_url: z
      .string()
      .nullable()
      .meta({ description: "The page to show or send to the customer. Null once voided." }),
    source: z.enum(["api", "storefront"]),
    sales_order_id: z.int().nullable(),
    reference_number: z.string().nullable(),
    notes: z.string().nullable(),
    terms: z.string().nullable(),
    metadata,
    sent_at: z.string().nullable(),
    voided_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Invoice" });

export const IssuedInvoice = Invoice.extend({ warnings: postingWarnings });

export const InvoiceSend = z.object({
  channel: z.literal("email").default("email"),
  email: emailAddress.optional().meta({ description: "The receiver, instead of the customer's address." }),
  emails: z.array(emailAddress).max(10, "must have at most 10 items").optional(),
  message: cleanMultilineText({ max: 1_000 }).optional().meta({ description: "A text in the e-mail." }),
  send_at: sendAt,
});
export const SentInvoice = z.object({
  id: z.string().meta({ description: "The id of the message. Read the message for its status." }),
  channel: z.literal("email"),
  status: z.literal("queued"),
  invoice_id: z.string(),
  to: z.array(z.string()),
  queued_count: z.int(),
  created_at: z.string(),
  send_at: z.string().optional().meta({ description: "Present if the message was scheduled." }),
});

export const VoidedInvoice = z.object({
  id: z.string(),
  voided: z.literal(true),
  reversal: z.object({
    reversed_at: z.string(),
    journal_entry_ids: z.array(z.string()).meta({ description: "The invoice's own entries." }),
    reversal_journal_entry_ids: z
      .array(z.string())
      .meta({ description: "The entries that reverse those of the invoice and its payments." }),
    payments_reversed: z.array(
      z.object({
        payment_id: z.string(),
        amount: z.number(),
        tds_amount: z.number(),
        journal_entry_id: z.string().nullable(),
        reversal_journal_entry_id: z.string().nullable(),
      }),
    ),
    amount_reversed: z
      .number()
      .meta({ description: "Money received on the invoice. It is not refunded through a gateway." }),
    stock_restored: z.array(
      z.object({ product_id: z.string(), quantity: z.number(), movement_id: z.string() }),
    ),
  }),
});

export type Invoice = z.infer<typeof Invoice>;
export type InvoiceCreate = z.infer<typeof InvoiceCreate>;
export type InvoiceSend = z.infer<typeof InvoiceSend>;
export type InvoiceQuery = z.infer<typeof InvoiceQuery>;
