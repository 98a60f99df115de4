import { Router } from "#api/operations/operation.ts";
import { listInstructors, renderInstructor } from "./list.ts";
import { Instructor, InstructorQuery } from "./schema.ts";

export const instructorRoutes = new Router("Bookings", "/instructors").all({ listInstructors }, "/", {
  summary: "List instructors",
  description:
    "The active instructors that match all parameters. Of `lat` with `lng`, `postcode`, `suburb` and `location_id`, only the first one sent counts. With a place, the nearest come first; otherwise the order is by name.",
  keys: "any",
  query: InstructorQuery,
  record: { schema: Instructor, render: renderInstructor },
  envelope: { success: "instructors" },
  problems: ["not_found"],
});
