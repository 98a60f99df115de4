import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { timestamp } from "../schema.ts";

const detail = z.enum(["full", "busy"]);

export const FeedCreate = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({ description: "The name that calendars show." }),
  instructor_id: idReference
    .nullable()
    .optional()
    .meta({ description: "The instructor of the lessons. Without it, the lessons of the whole school." }),
  detail: detail.meta({
    description: "`full` has each customer's name and phone number, `busy` only that there is a lesson.",
  }),
});

export const Feed = z
  .object({
    id: z.string(),
    name: z.string(),
    instructor_id: z.int().nullable(),
    detail,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "CalendarFeed" });

/** The only answers that show the address: of what issued it. */
export const IssuedFeed = Feed.extend({
  url: z.string().meta({
    format: "uri",
    description:
      "Calendars subscribe to this address. Any person who has it can read the feed. The API shows it only in this answer.",
  }),
}).meta({ id: "IssuedCalendarFeed" });

export type FeedCreate = z.output<typeof FeedCreate>;
