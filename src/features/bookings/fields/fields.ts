import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { dateTime, json } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { readAll } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { instructorFields } from "#tables/bookings";

export const FIELD_TYPES = ["text", "number", "boolean", "select", "multiselect", "date"] as const;
/** What `cf` takes beside the instructor fields. */
export const BUILT_IN_KEYS = ["transmission", "gender", "nationality", "language", "car"] as const;

/** A custom field of instructors as its company sees it. */
export const fieldSettings = record(
  instructorFields,
  {
    id: z.int(),
    key: z.string().describe("Its name in `custom_fields`."),
    label: z.string().describe("What forms call it."),
    type: z.enum(FIELD_TYPES),
    options: json(
      z.array(z.string()).nullable().describe("What can be chosen; null for a field without a choice."),
    ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "InstructorFieldSettings",
);
/** A field as a booking page sees it. */
const field = fieldSettings.pick("key", "label", "type", "options");
const shownField = field.schema
  .extend({ key: z.string().meta({ description: "Used as `cf[key]`." }) })
  .meta({ id: "InstructorField" });
export type FieldRow = RowOf<typeof fieldSettings>;

/** All fields as JSON. */
export const fieldsJson = once(
  () => sql<FieldRow[]>`json((SELECT json_group_array(${fieldSettings.columns()}) FROM ${instructorFields}))`,
);

const listInstructorFields = (ctx: CallCtx) =>
  readAll(ctx, field.select(sql`true ORDER BY ${instructorFields.id}`));

export const fieldRoutes = new Router("Bookings", "/instructor-fields").all({ listInstructorFields }, "/", {
  summary: "List the custom fields of instructors",
  description: "Their keys are used as `cf[key]` where instructors are listed.",
  keys: "any",
  record: { schema: shownField, render: field.render },
  envelope: { success: "fields" },
  cacheControl: "private, max-age=60",
});
