import * as z from "zod";
import { idReference, recordId } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";

export const CatalogueParams = z.object({ productId: recordId });
export const CatalogueQuery = z.object({
  q: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "Part of the name or SKU. Upper and lower case are equal." }),
  category_id: idReference.optional(),
});

export const CatalogueProduct = z.object({
  id: z.int(),
  name: z.string(),
  sku: z.string().nullable(),
  description: z.string().nullable(),
  price: z.number(),
  price_with_tax: z.number().meta({ description: "What the buyer pays for one." }),
  currency: z.string(),
  tax_rate: z.number().meta({ description: "In percent." }),
  price_includes_tax: z.boolean(),
  hsn_sac_code: z.string().nullable(),
  unit: z.string(),
  category: z.object({ id: z.int(), name: z.string() }).nullable(),
  product_type: z.enum(["goods", "service"]),
  in_stock: z.boolean(),
  available_quantity: z.number().nullable().meta({ description: "Null if stock is not tracked." }),
  image_url: z.null(),
});

export type CatalogueParams = z.infer<typeof CatalogueParams>;
export type CatalogueQuery = z.infer<typeof CatalogueQuery>;
