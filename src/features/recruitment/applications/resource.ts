import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { applicationExample } from "./examples.ts";
import { application, selectApplications } from "./record.ts";
import { applications } from "./tables.ts";

/** The data of application events. */
export const applicationResource = resource({
  name: "application",
  scope: "settings:read",
  record: application.schema,
  example: applicationExample,
  select: (_ctx, id) => selectApplications(sql`${applications.id} = ${id}`),
  render: application.render,
});
