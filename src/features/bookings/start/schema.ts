import * as z from "zod";
import { Course } from "../courses/schema.ts";
import { Instructor } from "../instructors/schema.ts";
import { Location } from "../locations/schema.ts";
import { timezone } from "../schema.ts";
import { BookingSettings } from "../settings/schema.ts";

export const Start = z
  .object({
    success: z.literal(true),
    settings: BookingSettings,
    courses: z.array(Course),
    locations: z.array(Location),
    instructors: z.array(Instructor).meta({ description: "Those that fit the parameters." }),
    timezone,
    visitor: z.string().meta({
      description:
        "To be sent back with a booking: tells visitors behind one address apart. For two hours, this company and that address.",
    }),
    turnstile_site_key: z
      .string()
      .nullable()
      .meta({ description: "Shows Turnstile's puzzle, where a booking may ask for it." }),
  })
  .meta({ id: "Start" });
