import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  employee_code: cleanText({ min: 1, max: 50 })
    .nullable()
    .meta({ description: "Your own number; unique in any case." }),
  designation: cleanText({ max: 100 }).nullable(),
  is_active: z
    .boolean()
    .meta({ description: "Only active employees can be assigned; work keeps who it was assigned to." }),
});

export const EmployeeCreate = fields.partial().required({ name: true });
export const EmployeePatch = patchOf(fields);
export const Employee = z.object({
  id: z.int(),
  name: z.string(),
  employee_code: z.string().nullable(),
  designation: z.string().nullable(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type EmployeeCreate = z.infer<typeof EmployeeCreate>;
export type EmployeePatch = z.infer<typeof EmployeePatch>;
