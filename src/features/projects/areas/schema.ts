import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { derivedPath, nodeName } from "../schema.ts";

const fields = z.object({
  name: nodeName,
  parent_id: idReference.nullable().meta({ description: "An area of the same project; null for the top." }),
});
const beside = { path: derivedPath };

export const AreaCreate = fields.partial({ parent_id: true }).extend(beside);
export const AreaPatch = patchOf(fields, beside);
export const Area = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  name: z.string(),
  path: z.string().meta({ description: "The names from the top down to its own, joined by `/`." }),
});

export type AreaCreate = z.infer<typeof AreaCreate>;
export type AreaPatch = z.infer<typeof AreaPatch>;
