import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { LANGUAGES } from "#shared/text/language.ts";

export const GST_CATEGORIES = [
  "regular",
  "composition",
  "sez",
  "unregistered",
  "consumer",
  "overseas",
  "deemed_export",
  "uin",
  "tds",
  "tcs",
] as const;

const email = emailOf(255);
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a two-letter country code")
  .transform((code) => code.toUpperCase());
const addressLines = cleanMultilineText({ max: 500 });
const city = cleanText({ max: 100 });

const ShippingAddress = z.object({
  address: addressLines.nullable().default(null),
  city: city.nullable().default(null),
  state: cleanText({ max: 100 }).nullable().default(null),
  pincode: cleanText({ max: 10 }).nullable().default(null),
  country: country.nullable().default(null),
});

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  state: cleanText({ min: 1, max: 100 }).meta({
    description: "For India: a state's name, its two letters, or its two-digit GST code.",
  }),
  pincode: cleanText({ min: 1, max: 10 }),
  display_name: cleanText({ max: 255 }).nullable(),
  email: email.nullable(),
  phone: cleanText({ max: 30 }).nullable(),
  company_name: cleanText({ max: 255 }).nullable(),
  gstin: cleanText({ max: 20 })
    .nullable()
    .meta({ description: "Checked to its last digit; unique among customers." }),
  gst_category: z.enum(GST_CATEGORIES).meta({ description: "By default from the GSTIN and the country." }),
  pan: z
    .string()
    .regex(/^[A-Z]{5}[0-9]{4}[A-Z]$/, "must be a PAN such as ABCDE1234F")
    .nullable()
    .meta({ description: "By default from the GSTIN." }),
  address: addressLines.nullable(),
  city: city.nullable(),
  country: country.meta({ description: "ISO 3166-1 alpha-2; by default the company's." }),
  shipping_address: ShippingAddress.nullable(),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code"),
  payment_terms_days: z.int().min(0).max(365).meta({ description: "From invoice date to due date." }),
  notes: cleanMultilineText({ max: 2_000 }).nullable(),
  language: z.enum(LANGUAGES).nullable().meta({ description: "Their preferred language." }),
  metadata,
});

export const CustomerCreate = fields.partial().required({ name: true, state: true, pincode: true });
export const CustomerPatch = patchOf(fields);
export const VendorPatch = patchOf(z.object({ is_vendor: z.boolean() }));
export const CustomerQuery = z.object({
  q: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "Part of the name, e-mail address or phone number, in any case." }),
});

export const Customer = z
  .object({
    id: z.string(),
    name: z.string(),
    display_name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company_name: z.string().nullable(),
    gstin: z.string().nullable(),
    gst_category: z.enum(GST_CATEGORIES),
    pan: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string(),
    state_code: z
      .string()
      .nullable()
      .meta({ description: "Two-digit GST code; null where the state is not Indian." }),
    pincode: z.string(),
    country: z.string(),
    shipping_address: ShippingAddress.nullable(),
    currency: z.string(),
    payment_terms_days: z.int(),
    notes: z.string().nullable(),
    language: z.enum(LANGUAGES).nullable(),
    is_vendor: z.boolean(),
    ledger_account_id: z.string().nullable(),
    ledger_account_name: z.string().nullable(),
    outstanding_amount: z
      .number()
      .optional()
      .meta({ description: "Due in rupees on live invoices; not in lists." }),
    balances: z
      .array(z.object({ currency: z.string(), outstanding_amount: z.number() }))
      .optional()
      .meta({ description: "Due in each currency that has invoices, rupees first; not in lists." }),
    status: z.literal("active"),
    metadata,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Customer" });
export const WrittenCustomer = Customer.extend({
  warnings: z
    .array(z.enum(["pincode_outside_state"]))
    .optional()
    .meta({ description: "There when what was stored is likely to be a mistake." }),
});
export type CustomerCreate = z.infer<typeof CustomerCreate>;
export type CustomerPatch = z.infer<typeof CustomerPatch>;
export type VendorPatch = z.infer<typeof VendorPatch>;
export type CustomerQuery = z.infer<typeof CustomerQuery>;
