import * as z from "zod";

/** A date and time with its offset from UTC on the wire, epoch milliseconds inside. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));

/** A date and time as an answer has it. */
export const timestamp = z.string().meta({ format: "date-time" });

/** When a message goes out; the time of the call judges whether it may. */
export const sendAt = instant.optional().meta({
  description:
    "When it goes out, at most 30 days ahead: within a minute of then. Until then it can be cancelled; opt-outs count that are made meanwhile. By default it goes at once.",
});
