import * as z from "zod";
import { course } from "../courses/courses.ts";
import { Instructor, InstructorQuery } from "../instructors/schema.ts";
import { location } from "../locations/locations.ts";
import { timezone } from "../schema.ts";
import { BookingSettings } from "../settings/settings.ts";

export const StartQuery = InstructorQuery.safeExtend({
  client_id: z.string().optional().meta({
    description:
      "A publishable key's id, where the call has no `X-Client-Id`: a page's `<link rel=preload>` can send no header.",
  }),
});
export const Start = z
  .object({
    success: z.literal(true),
    settings: BookingSettings,
    courses: z.array(course.schema),
    locations: z.array(location.schema).describe("The active ones."),
    instructors: z.array(Instructor),
    timezone,
    visitor: z.string().meta({
      description:
        "Send it with each call as the header `X-Visitor`; a booking also takes it as `visitor`. It separates visitors who share one address. It is valid for two hours, for this company and that address.",
    }),
    turnstile_site_key: z
      .string()
      .nullable()
      .meta({ description: "The site key for the Turnstile puzzle, if a booking may need it." }),
  })
  .meta({ id: "Start" });
