import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { bookingPackages } from "#tables/bookings";
import { packageExample } from "./examples.ts";
import { bookingPackage, renderPackage } from "./record.ts";

/** The data of package events. */
export const packageResource = resource({
  name: "package",
  scope: "settings:read",
  record: bookingPackage.schema,
  example: packageExample,
  select: (_ctx, id) => bookingPackage.select(sql`${bookingPackages.id} = ${id}`),
  render: renderPackage,
});
