import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { jobSettingsExample } from "./examples.ts";
import { JobSettings } from "./schema.ts";
import { renderJobSettings, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

/** The data of job events: as the company sees a job. */
export const jobResource = resource({
  name: "job",
  scope: "settings:read",
  record: JobSettings,
  example: jobSettingsExample,
  select: (_ctx, id) => selectJobs(sql`${jobs.id} = ${id}`),
  render: renderJobSettings,
});
