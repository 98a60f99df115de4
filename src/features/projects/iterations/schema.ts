import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { isoDate } from "#shared/time/dates.ts";
import { derivedPath, nodeName } from "../schema.ts";
import { ITERATION_TYPES } from "../vocabulary.ts";

const fields = z.object({
  name: nodeName,
  parent_id: idReference
    .nullable()
    .meta({ description: "The parent, an iteration of the same project. Null: the top." }),
  type: z.enum(ITERATION_TYPES).nullable(),
  start_date: isoDate.nullable(),
  end_date: isoDate.nullable(),
});
const beside = { path: derivedPath };

export const IterationCreate = fields.partial().required({ name: true }).extend(beside);
export const IterationPatch = patchOf(fields, beside);

export type IterationCreate = z.infer<typeof IterationCreate>;
export type IterationPatch = z.infer<typeof IterationPatch>;
