import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, phoneText } from "#shared/fields/text.ts";
import { GST_STATUSES } from "#shared/gst/document-types.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { isoDate } from "#shared/time/dates.ts";

const httpsUrl = z.url({ protocol: /^https$/, error: "must be an https address" }).max(500);

const prefix = z.string().regex(/^[A-Za-z0-9]{1,3}$/, "must be 1 to 3 letters or digits");

const profileFields = z.object({
  name: cleanText({ min: 1, max: 255 }).meta({ description: "The legal name, as on invoices." }),
  gstin: cleanText({ max: 20 }).nullable().describe("The check digit is verified."),
  state: cleanText({ max: 100 })
    .nullable()
    .meta({ description: "For India: the state's name, its two letters or its GST code." }),
  address: cleanMultilineText({ max: 500 }).nullable(),
  email: emailOf(255).nullable(),
  phone: phoneText({ max: 30 }).nullable(),
  logo_url: httpsUrl.nullable().meta({
    description:
      "The https address of a PNG, JPEG or WebP image of at most 200 KB. The API fetches it once, without following redirects, and invoices show it.",
  }),
  upi_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{2,100}@[A-Za-z0-9]{2,64}$/, "must be a UPI id such as shop@bank")
    .nullable()
    .meta({ description: "Shown as a QR code on unpaid invoices." }),
  invoices_payable_online: z.boolean().meta({
    description: "Whether unpaid invoices and their e-mails offer payment through your payment gateway.",
  }),
  invoice_prefix: prefix.meta({
    description: "The first part of new invoice numbers. One that other documents ever had is refused.",
  }),
  credit_note_prefix: prefix.meta({
    description: "The first part of new credit note numbers. One that other documents ever had is refused.",
  }),
  timezone: timeZone.describe("IANA name; decides what day it is."),
  allow_negative_stock: z.boolean().describe("Whether goods may be sold that stock does not show."),
  lut_number: cleanText({ min: 1, max: 50 }).nullable().meta({
    description:
      "The letter of undertaking (LUT). While it is valid, orders from abroad are invoiced without tax.",
  }),
  lut_valid_until: isoDate
    .nullable()
    .meta({ description: "The last day of the letter. Without it, the letter stays valid." }),
  gst_status: z.enum(GST_STATUSES).nullable().meta({
    description:
      "In India: whether you may charge GST. `registered` and `composition` need a GSTIN. `composition` and `unregistered` refuse tax (CGST Act, s.32).",
  }),
  tax_registered: z.boolean().nullable().meta({
    description:
      "Outside India: whether you are registered for the tax of your country. `false` refuses tax.",
  }),
  tax_label: cleanText({ min: 1, max: 20 })
    .nullable()
    .meta({ description: "Outside India: what the tax is called, such as GST or VAT." }),
  tax_number: cleanText({ min: 1, max: 30 })
    .nullable()
    .meta({ description: "Outside India: your number, as on invoices, such as an ABN." }),
  tax_number_label: cleanText({ min: 1, max: 20 }).nullable().meta({ description: "Such as ABN." }),
  bank_name: cleanText({ min: 1, max: 100 })
    .nullable()
    .meta({ description: "Shown with the account while something is due." }),
  bank_account_name: cleanText({ min: 1, max: 100 })
    .nullable()
    .meta({ description: "Whose account it is, as the bank has it." }),
  bank_account_number: z
    .string()
    .regex(/^[A-Z0-9]{4,34}$/, "must be 4 to 34 capital letters or digits")
    .nullable()
    .meta({ description: "Shown on unpaid invoices." }),
  bank_ifsc: z
    .string()
    .refine((code) => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(code), {
      params: { code: "invalid_ifsc" },
      error: "must be an IFSC such as HDFC0001234",
    })
    .nullable()
    .meta({ description: "The code of the branch, in India." }),
  bank_swift: z
    .string()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, "must be a SWIFT code of 8 or 11 characters")
    .nullable()
    .meta({ description: "The bank's code for transfers from abroad." }),
});

export const ProfilePatch = patchOf(profileFields);

export type ProfilePatch = z.infer<typeof ProfilePatch>;
