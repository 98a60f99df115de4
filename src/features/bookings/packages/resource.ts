import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { packageExample } from "./examples.ts";
import { BookingPackage } from "./schema.ts";
import { renderPackage, selectPackages } from "./snapshot.ts";
import { bookingPackages } from "./tables.ts";

/** The data of package events. */
export const packageResource = resource({
  name: "package",
  scope: "settings:read",
  record: BookingPackage,
  example: packageExample,
  select: (_ctx, id) => selectPackages(sql`${bookingPackages.id} = ${id}`),
  render: renderPackage,
});
