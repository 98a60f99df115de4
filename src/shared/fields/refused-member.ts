import * as z from "zod";

/**
 * A parameter or field that is refused by its name, and is in no document: if it were ignored, the answer would not be
 * what was asked for.
 */
export const refusedMember = (code: string, error: string) =>
  z
    .unknown()
    .optional()
    .refine((value) => value === undefined, { params: { code }, error })
    .meta({ "x-hidden": true });
