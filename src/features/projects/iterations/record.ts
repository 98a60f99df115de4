import * as z from "zod";
import { from, instant } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { pathIn } from "../tree.ts";
import { ITERATION_TYPES } from "../vocabulary.ts";
import { iterations } from "./tables.ts";

/** Times that work is planned for, a tree. */
export const iteration = record(iterations, {
  id: z.int(),
  project_id: z.int(),
  parent_id: z.int().nullable(),
  name: z.string(),
  type: z.enum(ITERATION_TYPES).nullable(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  path: from(
    pathIn(iterations),
    z.string().meta({ description: "The names from the top down to this one, joined by `/`." }),
  ),
  created_at: instant,
  updated_at: instant,
});
export type IterationRow = RowOf<typeof iteration>;
