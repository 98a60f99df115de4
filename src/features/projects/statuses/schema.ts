import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { STATE_CATEGORIES } from "../vocabulary.ts";

const fields = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({
    description: "Unique in any case; items show it as `state`.",
  }),
  category: z.enum(STATE_CATEGORIES).meta({
    description: "Fixed while an item is in the status, for it tells what is open and what is done.",
  }),
  position: z.int().min(0).max(10_000).meta({ description: "The order on a board; by default the last." }),
  is_default: z
    .literal(true)
    .meta({ description: "Makes it the status of new items, in place of the one before." }),
});
const slug = z
  .string()
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*$/, "must be lower-case letters and digits, joined by _")
  .max(100)
  .meta({ description: "What transitions name it by, for good; by default from the name." });

export const StatusCreate = fields.extend({ slug }).partial({ slug: true, position: true, is_default: true });
export const StatusPatch = patchOf(fields);
export const Status = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  category: z.enum(STATE_CATEGORIES),
  position: z.int(),
  is_default: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type StatusCreate = z.infer<typeof StatusCreate>;
export type StatusPatch = z.infer<typeof StatusPatch>;
