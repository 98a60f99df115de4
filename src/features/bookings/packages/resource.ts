import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { bookingPackages } from "#tables/bookings";
import { bookingPackage, renderPackage } from "./record.ts";

/** The data of package events. */
export const packageResource = resource({
  name: "package",
  scope: "settings:read",
  record: { schema: bookingPackage.schema, render: renderPackage },
  select: (_ctx, id) => bookingPackage.select(sql`${bookingPackages.id} = ${id}`),
});
