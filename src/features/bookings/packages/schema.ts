import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { timestamp } from "../schema.ts";

const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));
const bookingPackage = z.object({
  name: cleanText({ min: 1, max: 255 }),
  sessions_total: z.int().min(1).max(1_000),
  expires_at: instant.nullable(),
  status: z.enum(["active", "cancelled"]),
});
export const PackageCreate = bookingPackage
  .extend({
    customer_id: idReference.meta({ description: "The customer who has the package." }),
    product_id: idReference.meta({ description: "The lesson that each session is for." }),
  })
  .partial({ name: true, expires_at: true, status: true });
export const PackagePatch = patchOf(
  bookingPackage.extend({
    customer_id: idReference.meta({
      description:
        "The customer who has the package. This confirms the customer, even if the buyer only typed the same number.",
    }),
  }),
);
export const BookingPackage = z
  .object({
    id: z.int(),
    customer_id: z.string(),
    customer_confirmed: z.boolean().meta({
      description:
        "True: the buyer is confirmed as that customer. Until then, only the contact that the buyer typed can use and list the package.",
    }),
    product_id: z.int(),
    name: z.string(),
    sessions_total: z.int(),
    sessions_used: z.int(),
    sessions_remaining: z.int(),
    expires_at: timestamp.nullable(),
    status: z.enum(["active", "expired", "cancelled"]),
    order_id: z.int().nullable().meta({ description: "The order that bought it." }),
    booking_id: z
      .string()
      .nullable()
      .meta({ description: "The booking that bought it. Its lesson is the first session." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "BookingPackage" });

export const PackageQuery = z
  .object({
    customer_email: cleanText({ min: 1, max: 255 }).optional(),
    customer_phone: cleanText({ min: 1, max: 30 }).optional(),
  })
  .refine(({ customer_email: email, customer_phone: phone }) => email !== undefined || phone !== undefined, {
    path: ["customer_email"],
    error: "or customer_phone is required",
  });

export type PackageCreate = z.infer<typeof PackageCreate>;
export type PackagePatch = z.infer<typeof PackagePatch>;
export type PackageQuery = z.infer<typeof PackageQuery>;
