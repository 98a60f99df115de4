import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { derivedPath, nodeName } from "../schema.ts";

const fields = z.object({
  name: nodeName,
  parent_id: idReference
    .nullable()
    .meta({ description: "The parent, an area of the same project. Null: the top." }),
});
const beside = { path: derivedPath };

export const AreaCreate = fields.partial({ parent_id: true }).extend(beside);
export const AreaPatch = patchOf(fields, beside);

export type AreaCreate = z.infer<typeof AreaCreate>;
export type AreaPatch = z.infer<typeof AreaPatch>;
