import * as z from "zod";
import { from } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { pathIn } from "../tree.ts";
import { areas } from "./tables.ts";

/** The parts of a product that work items are in, a tree. */
export const area = record(areas, {
  id: z.int(),
  parent_id: z.int().nullable(),
  name: z.string(),
  path: from(
    pathIn(areas),
    z.string().meta({ description: "The names from the top down to this one, joined by `/`." }),
  ),
});
export type AreaRow = RowOf<typeof area>;
