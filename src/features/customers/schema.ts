import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, phoneText, postalCode, searchText } from "#shared/fields/text.ts";
import { GST_CATEGORIES } from "#shared/gst/gst-categories.ts";
import { LANGUAGES } from "#shared/text/language.ts";

const email = emailOf(255);
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a two-letter country code")
  .transform((code) => code.toUpperCase());
const addressLines = cleanMultilineText({ max: 500 });
const city = cleanText({ max: 100 });

export const ShippingAddress = z.object({
  name: cleanText({ max: 255 }).nullable().default(null).meta({
    description: "Who receives the goods, if another person: a GSTIN's state is then the place of supply.",
  }),
  phone: phoneText({ max: 30 }).nullable().default(null),
  address: addressLines.nullable().default(null),
  city: city.nullable().default(null),
  state: cleanText({ max: 100 }).nullable().default(null),
  pincode: postalCode({ max: 10 }).nullable().default(null),
  country: country.nullable().default(null).describe("ISO 3166-1 alpha-2."),
});

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  state: cleanText({ min: 1, max: 100 }).meta({
    description: "For India: a state's name, its two letters, or its two-digit GST code.",
  }),
  pincode: postalCode({ min: 1, max: 10 }).describe("In India its six digits."),
  display_name: cleanText({ max: 255 }).nullable(),
  email: email.nullable(),
  phone: phoneText({ max: 30 }).nullable(),
  company_name: cleanText({ max: 255 }).nullable().describe("The business that the person belongs to."),
  gstin: cleanText({ max: 20 }).nullable().describe("The check digit is verified. Unique among customers."),
  gst_category: z.enum(GST_CATEGORIES).meta({ description: "Default: from the GSTIN and the country." }),
  pan: z
    .string()
    .regex(/^[A-Z]{5}[0-9]{4}[A-Z]$/, "must be a PAN such as ABCDE1234F")
    .nullable()
    .meta({ description: "Default: from the GSTIN." }),
  address: addressLines.nullable().describe("Street and house; the city and the state stand apart."),
  city: city.nullable(),
  country: country.meta({ description: "ISO 3166-1 alpha-2. Default: the company's country." }),
  shipping_address: ShippingAddress.nullable().meta({ description: "One that says nothing is none." }),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code"),
  payment_terms_days: z.int().min(0).max(365).meta({ description: "Days from invoice date to due date." }),
  notes: cleanMultilineText({ max: 2_000 }).nullable().describe("For staff."),
  language: z.enum(LANGUAGES).nullable().meta({ description: "Their preferred language." }),
  metadata,
});

export const CustomerCreate = fields.partial().required({ name: true, state: true, pincode: true });
export const CustomerPatch = patchOf(fields);
export const VendorPatch = patchOf(
  z.object({ is_vendor: z.boolean().describe("Whether things are bought from them too.") }),
);
export const CustomerQuery = z.object({
  q: searchText.optional().meta({
    description: "Part of the name, e-mail address or phone number; case is ignored.",
  }),
  ...recordFilters,
});

export type CustomerCreate = z.infer<typeof CustomerCreate>;
export type CustomerPatch = z.infer<typeof CustomerPatch>;
export type VendorPatch = z.infer<typeof VendorPatch>;
export type CustomerQuery = z.infer<typeof CustomerQuery>;
