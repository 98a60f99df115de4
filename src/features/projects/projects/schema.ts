import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";

const code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{1,9}$/, "must be 2 to 10 letters and digits, the first a letter")
  .meta({
    description:
      "The first part of the work items' references. Default: from the name. It cannot change once a work item exists.",
  });

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  code,
  description: cleanMultilineText({ max: 20_000 }).nullable(),
  status: z.enum(["active", "archived"]),
});

export const ProjectCreate = fields.pick({ name: true, code: true, description: true }).partial({
  code: true,
  description: true,
});
export const ProjectPatch = patchOf(fields);

export type ProjectCreate = z.infer<typeof ProjectCreate>;
export type ProjectPatch = z.infer<typeof ProjectPatch>;
