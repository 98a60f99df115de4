import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { renderApplication, selectApplications } from "./applications.ts";
import { applicationExample } from "./examples.ts";
import { Application } from "./schema.ts";
import { applications } from "./tables.ts";

/** The data of application events. */
export const applicationResource = resource({
  name: "application",
  scope: "settings:read",
  record: Application,
  example: applicationExample,
  select: (_ctx, id) => selectApplications(sql`${applications.id} = ${id}`),
  render: renderApplication,
});
