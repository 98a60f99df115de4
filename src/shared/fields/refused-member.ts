import * as z from "zod";

/** A parameter or field that is refused by its name, and is in no document: ignored, it would do what nobody asked for. */
export const refusedMember = (code: string, error: string) =>
  z
    .unknown()
    .optional()
    .refine((value) => value === undefined, { params: { code }, error })
    .meta({ "x-hidden": true });
