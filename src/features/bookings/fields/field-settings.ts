import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { instructorFields } from "#tables/bookings";
import { BUILT_IN_KEYS, FIELD_TYPES, fieldSettings } from "./fields.ts";

const sent = z.object({
  label: cleanText({ min: 1, max: 100 }).describe("What forms call it."),
  options: z
    .array(cleanText({ min: 1, max: 100 }))
    .max(100)
    .nullable()
    .meta({ description: "For select and multiselect." }),
});
// Instructors have values under a key and of a type: both stay.
const create = sent
  .extend({
    key: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,64}$/, "must be 1 to 64 letters, digits or underscores")
      .refine((key) => !BUILT_IN_KEYS.some((name) => name === key), { error: "is built in" })
      .meta({ description: `None of ${BUILT_IN_KEYS.join(", ")}, which every instructor has.` }),
    type: z.enum(FIELD_TYPES),
  })
  .partial({ options: true });

export const fieldStaffRoutes = new Router("Settings: Instructor fields", "/instructor-fields").collection({
  ids: { one: "Field", list: "listFieldSettings" },
  words: ["an instructor field", "all instructor fields"],
  record: fieldSettings,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({
    record: fieldSettings,
    create,
    columns: ({ options, ...others }) => ({
      ...columnsOf(instructorFields, others),
      options: options && JSON.stringify(options),
    }),
  }),
  problems: { create: ["duplicate_name"] },
});
