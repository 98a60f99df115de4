import * as z from "zod";
import { instant } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { projects } from "./tables.ts";

/** A project. */
export const project = record(projects, {
  id: z.int(),
  name: z.string(),
  code: z.string(),
  description: z.string().nullable(),
  status: z.enum(["active", "archived"]),
  open_items: z
    .int()
    .meta({ description: "The number of work items that are neither completed nor removed." }),
  created_at: instant,
  updated_at: instant,
});
export type ProjectRow = RowOf<typeof project>;
