import { Router } from "#api/operations/operation.ts";
import { jobExample } from "./examples.ts";
import { getJob } from "./get-job.ts";
import { listJobs } from "./list-jobs.ts";
import { Job, JobParams, JobQuery } from "./schema.ts";
import { renderJob } from "./snapshot.ts";

export const jobRoutes = new Router("Recruitment")
  .list(
    {
      id: "listJobs",
      method: "get",
      path: "/recruitment/:company/jobs",
      summary: "List open jobs",
      description: "Jobs that take applications now, with their descriptions, newest first.",
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
