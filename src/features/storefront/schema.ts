import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { idReference, recordId } from "#shared/ids.ts";
import { isPlainAddress } from "#shared/network/return-address.ts";
import { money, quantity, unitPrice } from "#shared/numbers.ts";
import { CURRENCIES, GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";

const MOST_ITEMS = 50;
const MOST_METADATA_BYTES = 4_096;

// Judged as it was sent: what reads a web address drops line ends and tabs, around it too.
const address = z
  .string()
  .max(500)
  .refine(isPlainAddress, { error: "must have no control character, user or password" })
  .meta({ format: "uri" })
  .pipe(z.url({ protocol: /^https?$/, error: "must be a web address" }));
const optionalText = (max: number) => cleanText({ max }).nullish();

/** Any object of the shop's own: what it holds is the shop's business. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine((own) => new TextEncoder().encode(JSON.stringify(own)).length <= MOST_METADATA_BYTES, {
    params: { code: "too_big" },
    error: `must have at most ${MOST_METADATA_BYTES} bytes as JSON`,
  })
  .meta({ description: "Your own names and values, at most 4 KiB as JSON; kept with the order." });

export const CatalogueParams = z.object({ productId: recordId });
export const CatalogueQuery = z.object({
  q: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "Part of the name or SKU, in any case." }),
  category_id: idReference.optional(),
});

export const CatalogueProduct = z.object({
  id: z.int(),
  name: z.string(),
  sku: z.string().nullable(),
  description: z.string().nullable(),
  price: z.number(),
  price_with_tax: z.number().meta({ description: "What one costs whoever pays." }),
  currency: z.string(),
  tax_rate: z.number().meta({ description: "In percent." }),
  price_includes_tax: z.boolean(),
  hsn_sac_code: z.string().nullable(),
  unit: z.string(),
  category: z.object({ id: z.int(), name: z.string() }).nullable(),
  product_type: z.enum(["goods", "service"]),
  in_stock: z.boolean(),
  available_quantity: z.number().nullable().meta({ description: "Null where stock is not tracked." }),
  image_url: z.null(),
});

const CheckoutItem = z.object({
  name: cleanText({ min: 1, max: 255 }).meta({ description: "The catalogue's name takes its place." }),
  quantity: quantity({ max: 99_999 }),
  unit_price: unitPrice({ min: 0.01 }).meta({ description: "The catalogue's price takes its place." }),
  product_id: idReference.nullish().meta({
    description: "A product of the catalogue, an integer; without one the line is sold as sent.",
  }),
  description: cleanMultilineText({ max: 1_000 }).nullish(),
  hsn_sac_code: z
    .string()
    .regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits")
    .nullish(),
});

const DeliveryAddress = z.object({
  name: optionalText(255),
  phone: optionalText(30),
  address: cleanMultilineText({ max: 500 }).nullish(),
  city: optionalText(100),
  state: optionalText(100),
  pincode: optionalText(10),
  country: optionalText(60),
});

export const Checkout = z.object({
  items: z.array(CheckoutItem).min(1).max(MOST_ITEMS),
  customer: z
    .object({
      name: cleanText({ min: 1, max: 255 }),
      email: z.string().trim().max(255).pipe(emailOf(255)),
      phone: optionalText(30),
      address: cleanMultilineText({ max: 500 }).nullish(),
      city: optionalText(100),
      state: optionalText(100),
      pincode: optionalText(10),
      country: optionalText(5).meta({ description: "A code of ISO 3166 or an English name." }),
      company_name: optionalText(255),
      gstin: optionalText(20),
      shipping_address: DeliveryAddress.nullish(),
    })
    .meta({ description: "Matched to a customer by e-mail, then by the last 9 digits of the phone." }),
  currency: z.enum(CURRENCIES),
  source_website: cleanText({ min: 1, max: 255 }),
  return_url: address.meta({ description: "Where the payer comes back to." }),
  cancel_url: address,
  tax_amount: money().nullish().meta({
    description: "Added as sent. Without one, catalogue prices that do not hold their tax have it added.",
  }),
  shipping_amount: money().nullish(),
  notes: cleanMultilineText({ max: 2_000 }).nullish(),
  metadata: metadata.nullish(),
});

export const CheckoutResult = z.object({
  success: z.literal(true),
  order_id: z.int(),
  order_number: z.string(),
  total_amount: z.number(),
  currency: z.string(),
  gateway: z.enum(GATEWAY_KINDS),
  payment_data: z
    .record(z.string(), z.unknown())
    .meta({ description: "What the gateway's own form or page needs; always with `gateway_order_id`." }),
  warnings: z
    .array(z.enum(["tax_amount_implausible"]))
    .optional()
    .meta({
      description: "There when, once paid, the order will wait in review instead of becoming an invoice.",
    }),
});

const text = z.string().nullable();
const Shopper = z.object({
  name: z.string(),
  email: z.string(),
  phone: text,
  company_name: text,
  gstin: text,
  address: text,
  city: text,
  state: text,
  pincode: text,
  country: text,
  shipping_address: z
    .object({ name: text, phone: text, address: text, city: text, state: text, pincode: text, country: text })
    .nullable(),
});

export const OrderParams = z.object({ orderId: recordId });
export const Order = z.object({
  order_id: z.int(),
  order_number: z.string(),
  status: z.enum(["draft", "invoiced", "cancelled"]),
  payment_status: z
    .enum(["unpaid", "paid", "review"])
    .meta({ description: "`review`: money came, but not as it was asked for." }),
  needs_refund: z
    .boolean()
    .meta({ description: "More money came for it than its price: that is owed back." }),
  total_amount: z.number(),
  currency: z.string(),
  gateway: z.enum(GATEWAY_KINDS),
  items: z.array(
    z.object({
      product_id: z.int().nullable(),
      name: z.string(),
      quantity: z.number(),
      unit_price: z.number(),
      total: z.number(),
    }),
  ),
  packages: z
    .array(
      z.object({
        id: z.int(),
        sessions_total: z.int(),
        sessions_used: z.int(),
        status: z.enum(["active", "cancelled"]),
      }),
    )
    .meta({ description: "The packages of lessons that its payment has granted." }),
  packages_missing: z
    .boolean()
    .meta({ description: "A package that was paid for could not be granted: it names no lesson any more." }),
  tax_amount: z.number(),
  shipping_amount: z.number(),
  customer: Shopper.meta({ description: "As sent at checkout." }),
  source_website: z.string(),
  invoice_id: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_url: z.string().nullable().meta({ description: "The invoice's page, once the order is paid." }),
  notes: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).meta({ description: "As sent at checkout." }),
  created_at: z.string(),
  paid_at: z.string().nullable(),
});
export const ShopOrder = Order.extend({
  customer: Order.shape.customer.nullable(),
  metadata: Order.shape.metadata.nullable(),
});

export type CatalogueParams = z.infer<typeof CatalogueParams>;
export type CatalogueQuery = z.infer<typeof CatalogueQuery>;
export type Checkout = z.infer<typeof Checkout>;
export type OrderParams = z.infer<typeof OrderParams>;
