import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { createJob } from "./create-job.ts";
import { deleteJob } from "./delete-job.ts";
import { jobExample, jobSettingsExample, newJobExample } from "./examples.ts";
import { getJob, getJobSettings } from "./get-job.ts";
import { listJobSettings, listJobs } from "./list-jobs.ts";
import { jobResource } from "./resource.ts";
import { Job, JobCreate, JobParams, JobPatch, JobQuery, JobSettings } from "./schema.ts";
import { renderJob, renderJobSettings } from "./snapshot.ts";
import { updateJob } from "./update-job.ts";

export const jobRoutes = new Router("Recruitment")
  .list(
    {
      id: "listJobs",
      method: "get",
      path: "/recruitment/:company/jobs",
      summary: "List open jobs",
      description: "Those that take applications now, with their descriptions, the newest first.",
      scope: "job_openings.read",
      query: JobQuery,
      result: Job,
      example: { result: jobExample },
      render: renderJob,
      sort: (row) => [row.posted_at, row.id],
    },
    listJobs,
  )
  .add(
    {
      id: "getJob",
      method: "get",
      path: "/recruitment/:company/jobs/:slug",
      summary: "Read an open job",
      scope: "job_openings.read",
      params: JobParams,
      result: Job,
      example: { result: jobExample },
      render: renderJob,
    },
    getJob,
  );

export const jobSettingsRoutes = new Router("Settings: Jobs and departments")
  .list(
    {
      id: "listJobSettings",
      method: "get",
      path: "/settings/:company/jobs",
      summary: "List all jobs",
      description: "Closed and unpublished ones too.",
      scope: "settings:read",
      result: JobSettings,
      example: { result: jobSettingsExample },
      render: renderJobSettings,
      sort: (row) => [row.id],
    },
    listJobSettings,
  )
  .add(
    {
      id: "createJob",
      method: "post",
      changes: [jobResource],
      path: "/settings/:company/jobs",
      summary: "Add a job",
      description: "It takes applications at once, where nothing else is said.",
      scope: "settings:write",
      body: JobCreate,
      result: JobSettings,
      status: 201,
      problems: ["conflict"],
      example: { body: newJobExample, result: jobSettingsExample },
      render: renderJobSettings,
    },
    createJob,
  )
  .add(
    {
      id: "getJobSettings",
      method: "get",
      path: "/settings/:company/jobs/:id",
      summary: "Read any job",
      scope: "settings:read",
      params: RecordParams,
      result: JobSettings,
      example: { result: jobSettingsExample },
      render: renderJobSettings,
    },
    getJobSettings,
  )
  .add(
    {
      id: "updateJob",
      method: "patch",
      changes: [jobResource],
      path: "/settings/:company/jobs/:id",
      summary: "Change a job",
      scope: "settings:write",
      params: RecordParams,
      body: JobPatch,
      result: JobSettings,
      problems: ["no_accepted_fields", "conflict"],
      example: { body: { status: "closed" }, result: { ...jobSettingsExample, status: "closed" } },
      render: renderJobSettings,
    },
    updateJob,
  )
  .add(
    {
      id: "deleteJob",
      method: "delete",
      changes: [jobResource],
      path: "/settings/:company/jobs/:id",
      summary: "Remove a job",
      description: "One that nobody applied for; any other can be closed.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 7, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteJob,
  );
