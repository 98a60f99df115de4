import { Router } from "#api/operations/operation.ts";
import { renderStart, startBooking } from "./get.ts";
import { Start, StartQuery } from "./schema.ts";

export const startRoutes = new Router("Bookings", "/start").get({ startBooking }, "/", {
  summary: "Read the data that a booking page starts with",
  description:
    "The rules, courses, locations and instructors in one call. Takes the parameters of the list of instructors.",
  keys: "any",
  query: StartQuery,
  record: { schema: Start, render: renderStart },
  envelope: "flat",
  problems: ["not_found"],
  cacheControl: "private, no-store",
});
