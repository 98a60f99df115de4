import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { jobSettingsExample } from "./examples.ts";
import { jobSettings, selectJobs } from "./record.ts";
import { jobs } from "./tables.ts";

/** The data of job events: as the company sees a job. */
export const jobResource = resource({
  name: "job",
  scope: "settings:read",
  record: jobSettings.schema,
  example: jobSettingsExample,
  select: (_ctx, id) => selectJobs(sql`${jobs.id} = ${id}`),
  render: jobSettings.render,
});
