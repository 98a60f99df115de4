import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { timestamp } from "../schema.ts";

const FIELD_TYPES = ["text", "number", "boolean", "select", "multiselect", "date"] as const;
/** What `cf` takes beside the instructor fields. */
export const BUILT_IN_KEYS = ["transmission", "gender", "nationality", "language", "car"] as const;

const field = z.object({
  label: cleanText({ min: 1, max: 100 }),
  options: z
    .array(cleanText({ min: 1, max: 100 }))
    .max(100)
    .nullable()
    .meta({ description: "For select and multiselect." }),
});
export const FieldCreate = field
  .extend({
    key: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,64}$/, "must be 1 to 64 letters, digits or underscores")
      .refine((key) => !BUILT_IN_KEYS.some((name) => name === key), { error: "is built in" })
      .meta({ description: `None of ${BUILT_IN_KEYS.join(", ")}, which every instructor has.` }),
    type: z.enum(FIELD_TYPES),
  })
  .partial({ options: true });
export const FieldPatch = patchOf(field);
export const Field = z.object({
  id: z.int(),
  key: z.string(),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  options: z.array(z.string()).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A field as a booking page sees it. */
export const InstructorField = z.object({
  key: z.string().meta({ description: "Used as `cf[key]`." }),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  options: z.array(z.string()).nullable(),
});

export type FieldCreate = z.infer<typeof FieldCreate>;
export type FieldPatch = z.infer<typeof FieldPatch>;
