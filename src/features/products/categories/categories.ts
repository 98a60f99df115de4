import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { idText, instant } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { categories, products } from "#tables/products";

const create = z.object({ name: cleanText({ min: 1, max: 100 }) });
const category = record(
  categories,
  {
    id: idText,
    name: z.string(),
    created_at: instant,
    updated_at: instant,
  },
  "Category",
);

export const categorySettingsRoutes = new Router("Settings: Units and categories", "/categories").collection({
  ids: { one: "Category", list: "listCategorySettings" },
  words: ["a category", "the categories"],
  record: category,
  create,
  patch: patchOf(create),
  keepsTexts: true,
  verbs: collectionVerbs({
    record: category,
    create,
    made: ({ name }) => eq(categories.name, name),
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.categoryId} = ${id})`,
  }),
  problems: { create: ["duplicate_name"], update: ["duplicate_name"], delete: ["in_use"] },
  notes: { delete: { description: "Refused while a product refers to it." } },
});
