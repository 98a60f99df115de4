import * as z from "zod";
import { isoDate } from "#shared/time/dates.ts";
import { externalIdFilter } from "./external-id.ts";
import { instant } from "./instant.ts";

/** A day of the company, which stays text, or an instant: epoch milliseconds. `code` is what refuses another text. */
const dayOrInstant = (code: string) =>
  z
    .string()
    .refine((text) => isoDate.safeParse(text).success || instant.safeParse(text).success, {
      params: { code },
      error: "must be a date such as 2027-01-31, or a date-time such as 2027-01-31T18:30:00Z",
    })
    .transform((text) => (isoDate.safeParse(text).success ? text : Date.parse(text)));

/** What narrows a list to the records made in a span of time; with the code of a list that had another one before. */
export const createdBy = (code: string) => ({
  created_from: dayOrInstant(code)
    .optional()
    .meta({ description: "Made on this day or at this time, or later." }),
  created_to: dayOrInstant(code)
    .optional()
    .meta({ description: "Made on this day, or before it or this time." }),
});
/** What narrows a list to the records made in a span of time. */
export const createdFilters = createdBy("invalid_date");

/** What narrows a list to days of its records. */
export const DayQuery = z.object({
  from: isoDate.optional().meta({ description: "The first day, inclusive. The latest come first." }),
  to: isoDate.optional().meta({ description: "The last day, inclusive. The latest come first." }),
});
export type DayQuery = z.infer<typeof DayQuery>;

/** The number of a document, such as that of an invoice. */
export const documentNumber = z
  .string()
  .min(1)
  .max(40)
  .optional()
  .meta({ description: "Its whole number, exactly as it is written." });

/** What puts a list in the order of changes. */
export const changeFilters = {
  sort: z.enum(["updated"]).optional().meta({
    description: "`updated`: the oldest change first; a new change comes again, later.",
  }),
  updated_since: instant.optional().meta({
    description: "Changed at or after this time. The oldest change first.",
  }),
};

/** What narrows each list of records that change. */
export const timeFilters = { ...createdFilters, ...changeFilters };
/** The same of records that callers give ids of their own to. */
export const recordFilters = { external_id: externalIdFilter, ...timeFilters };

const [created, changed] = [z.object(createdFilters), z.object(changeFilters)];
export type CreatedQuery = z.infer<typeof created>;
export type ChangeQuery = z.infer<typeof changed>;
