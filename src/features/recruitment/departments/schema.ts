import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

export const Department = z.object({
  id: z.int(),
  name: z.string(),
  parent_id: z.int().nullable(),
  open_jobs_count: z.int().meta({ description: "Of this department itself, not of those below it." }),
});

const departmentFields = z.object({
  name: cleanText({ min: 1, max: 100 }),
  parent_id: idReference.nullable(),
  is_active: z.boolean(),
});
export const DepartmentCreate = departmentFields.partial().required({ name: true });
export const DepartmentPatch = patchOf(departmentFields);
export const DepartmentSettings = z.object({
  id: z.int(),
  name: z.string(),
  parent_id: z.int().nullable(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type DepartmentCreate = z.infer<typeof DepartmentCreate>;
export type DepartmentPatch = z.infer<typeof DepartmentPatch>;
