import * as z from "zod";

/** A time as an answer has it. */
export const timestamp = z.string().meta({ format: "date-time" });
