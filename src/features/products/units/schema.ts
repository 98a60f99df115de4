import * as z from "zod";
import { quantity } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

/** A unit of measure as a product shows it. */
export const Unit = z.object({
  id: z.string(),
  code: z.string().meta({ description: "Unit quantity code (UQC) of the GST returns." }),
  name: z.string(),
});

const unitCode = z.string().regex(/^[A-Z0-9]{1,10}$/, "must be 1 to 10 capital letters or digits");
const unitFields = z.object({
  code: unitCode,
  name: cleanText({ min: 1, max: 100 }),
  base_code: unitCode.nullable().meta({
    description: "The unit that this one is a multiple or part of; sent together with `factor`.",
  }),
  factor: quantity()
    .nullable()
    .meta({ description: "How many of the base unit make one of it: 12 for a dozen of pieces." }),
});
export const UnitCreate = unitFields.partial().required({ code: true, name: true });
export const UnitPatch = patchOf(unitFields);
export const MeasuredUnit = Unit.extend({ base_code: z.string().nullable(), factor: z.number().nullable() });

export type UnitCreate = z.infer<typeof UnitCreate>;
export type UnitPatch = z.infer<typeof UnitPatch>;
