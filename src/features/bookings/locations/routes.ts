import { Router } from "#contract/operation.ts";
import { newLocationExample } from "./examples.ts";
import { listLocations } from "./list.ts";
import { Location } from "./schema.ts";
import { renderLocation } from "./snapshot.ts";

export const locationRoutes = new Router("Bookings").all(
  {
    id: "listLocations",
    method: "get",
    path: "/schools/:company/locations",
    summary: "List locations",
    description: "The active ones, by name.",
    scope: "bookings.read",
    keys: "any",
    result: Location,
    envelope: { success: "locations" },
    example: {
      result: { id: 3, ...newLocationExample, operating_hours: "Mon-Fri 08:30-16:30" },
    },
    cacheControl: "private, max-age=60",
    render: renderLocation,
  },
  listLocations,
);
