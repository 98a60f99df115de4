import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

/** A source as a website shows it. */
export const LeadSource = z.object({ id: z.int(), slug: z.string(), name: z.string() });

const sourceFields = z.object({ name: cleanText({ min: 1, max: 100 }), is_active: z.boolean() });
export const SourceCreate = sourceFields
  .extend({
    slug: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,49}$/,
        "must be 1 to 50 lower-case letters, digits, hyphens or underscores",
      ),
  })
  .partial({ is_active: true });
export const SourcePatch = patchOf(sourceFields);
export const SourceSettings = LeadSource.extend({ is_active: z.boolean() });

export type SourceCreate = z.infer<typeof SourceCreate>;
export type SourcePatch = z.infer<typeof SourcePatch>;
