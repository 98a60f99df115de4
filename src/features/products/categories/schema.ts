import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

const categoryFields = z.object({ name: cleanText({ min: 1, max: 100 }) });
export const CategoryCreate = categoryFields;
export const CategoryPatch = patchOf(categoryFields);
export const Category = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type CategoryCreate = z.infer<typeof CategoryCreate>;
export type CategoryPatch = z.infer<typeof CategoryPatch>;
