import * as z from "zod";
import { recordId } from "#shared/fields/ids.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";

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
    .meta({ description: "`review`: money came, but not as requested." }),
  needs_refund: z
    .boolean()
    .meta({ description: "More money came than the price. The difference must be refunded." }),
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
    .meta({ description: "The packages of lessons that the payment granted." }),
  packages_missing: z
    .boolean()
    .meta({ description: "A paid package could not be granted, because it names no lesson any more." }),
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

export type OrderParams = z.infer<typeof OrderParams>;
