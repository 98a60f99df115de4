import * as z from "zod";

/** A time as an answer has it. */
export const timestamp = z.string().meta({ format: "date-time" });

/** A date and time with its offset from UTC on the wire, epoch milliseconds inside. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));
