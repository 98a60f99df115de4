import { sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { applications } from "../applications/tables.ts";
import { createJob } from "./create-job.ts";
import { jobSettingsExample, newJobExample } from "./examples.ts";
import { JobCreate, JobPatch, JobSettings } from "./schema.ts";
import { renderJobSettings, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";
import { updateJob } from "./update-job.ts";

export const jobSettingsRoutes = new Router("Settings: Jobs and departments").collection({
  path: "/settings/:company/jobs",
  ids: { one: "Job", list: "listJobSettings", get: "getJobSettings" },
  words: ["a job", "all jobs"],
  record: { schema: JobSettings, render: renderJobSettings },
  create: JobCreate,
  patch: JobPatch,
  verbs: {
    ...recordVerbs({
      record: { table: jobs, select: selectJobs },
      usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${applications} WHERE ${applications.jobId} = ${id})`,
    }),
    create: createJob,
    update: updateJob,
  },
  problems: { create: ["conflict"], update: ["conflict"], delete: ["in_use"] },
  changes: { create: ["job"], update: ["job"], delete: ["job"] },
  notes: {
    list: { description: "Includes closed and unpublished jobs." },
    create: { description: "By default the job takes applications at once." },
    get: { summary: "Read any job" },
    delete: { description: "Only a job without applications. Close any other job instead." },
  },
  example: { stored: jobSettingsExample, sent: newJobExample, change: { status: "closed" } },
});
