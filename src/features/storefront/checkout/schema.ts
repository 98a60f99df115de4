import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { idReference } from "#shared/fields/ids.ts";
import { money, moneyOnWire, quantity, unitPrice } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText, phoneText, postalCode } from "#shared/fields/text.ts";
import { isPlainAddress } from "#shared/network/return-address.ts";
import { CURRENCIES, GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { NextAction, PaymentData } from "#shared/payments/next-action.ts";

const MOST_ITEMS = 50;
const MOST_METADATA_BYTES = 4_096;

// Checked as it was sent: a URL parser drops line ends and tabs, at both ends too.
const address = z
  .string()
  .max(500)
  .refine(isPlainAddress, { error: "must have no control character, user or password" })
  .meta({ format: "uri" })
  .pipe(z.url({ protocol: /^https?$/, error: "must be a web address that begins with https:// or http://" }));
const optionalText = (max: number) => cleanText({ max }).nullish();

/** Any object of the shop's own: what it holds is the shop's business. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine((own) => new TextEncoder().encode(JSON.stringify(own)).length <= MOST_METADATA_BYTES, {
    params: { code: "too_big" },
    error: `must have at most ${MOST_METADATA_BYTES} bytes as JSON`,
  })
  .meta({ description: "Your own names and values, at most 4 KiB as JSON. Stored with the order." });

const CheckoutItem = z.object({
  name: cleanText({ min: 1, max: 255 }).meta({
    description: "For a product of the catalogue, its own name is used instead.",
  }),
  quantity: quantity({ max: 99_999 }),
  unit_price: unitPrice({ min: 0.01 }).meta({
    description: "For a product of the catalogue, its own price is used instead.",
  }),
  product_id: idReference.nullish().meta({
    description: "The id of a product of the catalogue, an integer. Without it, the line is sold as sent.",
  }),
  description: cleanMultilineText({ max: 1_000 }).nullish(),
  hsn_sac_code: z
    .string()
    .regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits")
    .nullish(),
});

const DeliveryAddress = z.object({
  name: optionalText(255),
  phone: phoneText({ max: 30 }).nullish(),
  address: cleanMultilineText({ max: 500 }).nullish(),
  city: optionalText(100),
  state: optionalText(100),
  pincode: postalCode({ max: 10 }).nullish(),
  country: optionalText(60).describe("A code or a name."),
});

export const Checkout = z.object({
  items: z.array(CheckoutItem).min(1).max(MOST_ITEMS),
  customer: z
    .object({
      name: cleanText({ min: 1, max: 255 }),
      email: emailOf(255),
      phone: phoneText({ max: 30 }).nullish(),
      address: cleanMultilineText({ max: 500 }).nullish(),
      city: optionalText(100),
      state: optionalText(100).describe(
        "In India its name, its two letters, or its two-digit GST code: the tax depends on it. Any other is refused while the company is registered.",
      ),
      pincode: postalCode({ max: 10 }).nullish(),
      country: optionalText(5).describe("An ISO 3166 code, or a name of at most 5 letters."),
      company_name: optionalText(255),
      gstin: optionalText(20).describe("The check digit is verified."),
      shipping_address: DeliveryAddress.nullish().describe("If goods go elsewhere."),
    })
    .describe("The API matches a customer by e-mail address, then by the last 9 digits of the phone."),
  currency: z.enum(CURRENCIES),
  source_website: cleanText({ min: 1, max: 255 }).describe("The site that sold it."),
  return_url: address.meta({ description: "The payer returns to this address." }),
  cancel_url: address.describe("Where the visitor goes who does not pay."),
  tax_amount: money().nullish().meta({
    description:
      "The API adds this tax as sent. Without it, the API adds tax to catalogue prices that do not include it.",
  }),
  shipping_amount: money().nullish(),
  notes: cleanMultilineText({ max: 2_000 }).nullish(),
  metadata: metadata.nullish(),
});

/** What the shop's developer should know of a checkout that is accepted all the same. */
export const CHECKOUT_WARNINGS = [
  "tax_amount_implausible",
  "place_of_supply_not_of_gstin",
  "unit_price_of_catalogue",
] as const;
export type CheckoutWarning = (typeof CHECKOUT_WARNINGS)[number];

export const CheckoutResult = z
  .object({
    success: z.literal(true),
    order_id: z.int(),
    order_number: z.string().describe("The number that the shop and the buyer quote."),
    total_amount: moneyOnWire.describe("With tax."),
    currency: z.string(),
    gateway: z.enum(GATEWAY_KINDS),
    payment_data: PaymentData.optional().describe(
      "What the gateway needs to take the payment. Absent where the order of your `external_id` is paid.",
    ),
    next_action: NextAction,
    warnings: z.array(z.enum(CHECKOUT_WARNINGS)).optional().meta({
      description:
        "`tax_amount_implausible`: the paid order will wait in review instead of becoming an invoice. `place_of_supply_not_of_gstin`: the goods are taxed in another state than that of the buyer's GSTIN. `unit_price_of_catalogue`: a product costs another price than was sent. Absent where there is none.",
    }),
  })
  .meta({ id: "CheckoutResult" });

export type Checkout = z.infer<typeof Checkout>;
