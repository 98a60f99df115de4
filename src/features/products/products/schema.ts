import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { money, percent, quantity } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, searchText } from "#shared/fields/text.ts";
import { GST_TREATMENTS } from "#shared/gst/treatments.ts";

/** What a PATCH may change. */
const fields = z.object({
  name: cleanText({ min: 1, max: 255 }).describe("The name on invoices and in the shop."),
  sku: cleanText({ min: 1, max: 100 }).nullable().meta({ description: "Your own code. Unique if set." }),
  description: cleanMultilineText({ max: 5_000 })
    .nullable()
    .describe("What invoices and the shop say of it."),
  category_id: idReference.nullable(),
  unit_id: idReference.meta({ description: "An `id` from the units of measure." }),
  selling_price: money(),
  purchase_price: money().nullable(),
  mrp: money().nullable().describe("Maximum retail price."),
  tax_rate: percent().meta({
    description: "The whole GST rate, in percent. Until it is set, each invoice line must have its own rate.",
  }),
  gst_treatment: z.enum(GST_TREATMENTS).nullable().meta({
    description: "Null: `taxable` with a rate, `nil_rated` without one. Others need a rate of 0.",
  }),
  price_includes_tax: z.boolean(),
  hsn_sac_code: z
    .string()
    .regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits")
    .nullable(),
  status: z.enum(["active", "inactive"]),
  is_storefront_visible: z.boolean(),
  low_stock_threshold: quantity({ min: 0 }).nullable().describe("Stock at or below which it counts as low."),
  duration_minutes: z.int().min(1).max(1_440).nullable().meta({
    description:
      "For a course: the length of its lesson. Null: the length in the booking, else the default slot length.",
  }),
  transmission: z.enum(["auto", "manual"]).nullable().meta({ description: "Makes the product a course." }),
  is_package: z.boolean().describe("Whether several lessons are sold as one."),
  sessions: z.int().min(1).max(1_000).nullable().describe("Lessons in the package."),
  lesson_product_id: idReference.nullable().meta({
    description:
      "For a package: the lesson that each session is for. A package without it and `sessions` cannot be sold.",
  }),
  package_days: z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .meta({ description: "How many days after its payment a package can be used. Null: no limit." }),
  metadata,
});

export const ProductCreate = fields
  .extend({
    product_type: z.enum(["goods", "service"]),
    track_stock: z.boolean().meta({ description: "It cannot be changed later." }),
    is_batch_tracked: z.boolean(),
    opening_stock: quantity({ min: 0 }).describe("Recorded as a movement if stock is tracked."),
    opening_batch_number: cleanText({ min: 1, max: 100 }),
  })
  .partial()
  .required({ name: true, unit_id: true });
export const ProductPatch = patchOf(fields);
export const ProductQuery = z.object({
  q: searchText.optional().meta({ description: "Part of the name or SKU; case is ignored." }),
  category_id: idReference.optional(),
  ...recordFilters,
});

export type ProductCreate = z.infer<typeof ProductCreate>;
export type ProductPatch = z.infer<typeof ProductPatch>;
export type ProductQuery = z.infer<typeof ProductQuery>;
