import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { packageExample } from "./examples.ts";
import { BookingPackage } from "./schema.ts";
import { renderPackage, selectPackages } from "./snapshot.ts";
import { bookingPackages } from "./tables.ts";

/** What events tell of prepaid lessons. */
export const packageResource = resource({
  name: "package",
  scope: "settings:read",
  record: BookingPackage,
  example: packageExample,
  select: (_ctx, id) => selectPackages(sql`${bookingPackages.id} = ${id}`),
  render: renderPackage,
});
