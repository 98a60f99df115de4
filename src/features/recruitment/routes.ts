import { Router } from "#contract/operation.ts";
import { apply, renderReceived } from "./apply.ts";
import { departmentExample, jobExample, newApplicationExample, receivedExample } from "./examples.ts";
import { getJob } from "./get-job.ts";
import { listDepartments } from "./list-departments.ts";
import { listJobs } from "./list-jobs.ts";
import { ApplicationForm, Department, Job, JobParams, JobQuery, ReceivedApplication } from "./schema.ts";
import { renderJob } from "./snapshot.ts";

export const recruitmentRoutes = new Router("Recruitment")
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
      envelope: "data",
      status: 200,
      problems: [],
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
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: jobExample },
      render: renderJob,
    },
    getJob,
  )
  .add(
    {
      id: "applyForJob",
      method: "post",
      path: "/recruitment/:company/jobs/:slug/apply",
      summary: "Apply for a job",
      description:
        "One application for a job and an e-mail address, in any case: a second one is 409 with the first one's `application_number` and `applied_at`. A field left empty counts as not sent.",
      scope: "applications.write",
      params: JobParams,
      body: ApplicationForm,
      form: "always",
      result: ReceivedApplication,
      envelope: "data",
      status: 201,
      problems: ["not_found", "duplicate_application", "number_exhausted"],
      example: { body: newApplicationExample, result: receivedExample },
      render: renderReceived,
    },
    apply,
  )
  .all(
    {
      id: "listDepartments",
      method: "get",
      path: "/recruitment/:company/departments",
      summary: "List departments",
      description: "The active ones, by name.",
      scope: "job_openings.read",
      result: Department,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: departmentExample },
      render: (row) => row,
    },
    listDepartments,
  );
