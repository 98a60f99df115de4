import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { isoDate } from "#shared/time/dates.ts";

const httpsUrl = z.url({ protocol: /^https$/, error: "must be an https address" }).max(500);

const profileFields = z.object({
  name: cleanText({ min: 1, max: 255 }).meta({ description: "The legal name, as on invoices." }),
  gstin: cleanText({ max: 20 }).nullable(),
  state: cleanText({ max: 100 })
    .nullable()
    .meta({ description: "For India: the state's name, its two letters or its GST code." }),
  address: cleanMultilineText({ max: 500 }).nullable(),
  email: emailOf(255).nullable(),
  phone: cleanText({ max: 30 }).nullable(),
  logo_url: httpsUrl.nullable(),
  upi_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{2,100}@[A-Za-z0-9]{2,64}$/, "must be a UPI id such as shop@bank")
    .nullable()
    .meta({ description: "Shown as a QR code on unpaid invoices." }),
  invoice_prefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,3}$/, "must be 1 to 3 letters or digits")
    .meta({ description: "The first part of new invoice numbers." }),
  timezone: timeZone,
  allow_negative_stock: z.boolean(),
  lut_number: cleanText({ min: 1, max: 50 }).nullable().meta({
    description:
      "The letter of undertaking (LUT). While it is valid, orders from abroad are invoiced without tax.",
  }),
  lut_valid_until: isoDate
    .nullable()
    .meta({ description: "The last day of the letter. Without it, the letter stays valid." }),
});

export const ProfilePatch = patchOf(profileFields);

export type ProfilePatch = z.infer<typeof ProfilePatch>;
