import { eq, type SQL, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { recordVerbs, type Some } from "#core/write/collection.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { cleanHtml, htmlToText } from "#shared/html/clean-html.ts";
import { fieldProblem } from "#shared/problem.ts";
import { slugify } from "#shared/text/slug.ts";
import { applications, jobs } from "#tables/recruitment";
import { requireDepartment } from "../departments/require-department.ts";
import { type JobRow, jobSettings } from "./record.ts";
import { JobCreate, JobPatch } from "./schema.ts";

const NAMELESS = "job";
const LONGEST_SLUG = 80;
const DEFAULT_INTERVAL = "year";
const REFUSALS = {
  department_gone: () => fieldProblem("department_id", "not_found", "names no department"),
  job_experience: () => fieldProblem("experience_max", "too_small", "must not be below experience_min"),
  job_salary: () => fieldProblem("salary.max", "too_small", "must not be below salary.min"),
};

export const jobSettingsRoutes = new Router("Settings: Jobs and departments", "/jobs").collection({
  ids: { one: "Job", list: "listJobSettings", get: "getJobSettings" },
  words: ["a job", "all jobs"],
  record: jobSettings,
  create: JobCreate,
  patch: JobPatch,
  verbs: {
    ...recordVerbs({
      record: jobSettings,
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
});

/** Adds a job; what is not sent gets its default. Throws 422 for a department that is not there. */
async function createJob(ctx: WriteCtx, _params: unknown, body: JobCreate): Promise<JobRow> {
  const columns = await storedColumns(ctx, body);
  return atomic(
    ctx,
    [
      ...requireDepartment(body.department_id),
      ctx.db.insert(jobs).values({
        ...columns,
        ...(await descriptionOf(body.description_html)),
        operation: ctx.call.id,
        slug: body.slug ?? freeSlug(slugify(body.title, LONGEST_SLUG) || NAMELESS),
        title: body.title,
        employmentType: body.employment_type ?? "full_time",
        workplaceType: body.workplace_type ?? "on_site",
        skills: columns.skills ?? "[]",
        openings: body.openings ?? 1,
        salaryCurrency: columns.salaryCurrency ?? ctx.company.currency,
        salaryInterval: columns.salaryInterval ?? DEFAULT_INTERVAL,
        publishSalary: columns.publishSalary ?? 0,
        status: body.status ?? "open",
        isPublished: columns.isPublished ?? 1,
        postedAt: body.posted_at ?? ctx.now,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    jobSettings.select(eq(jobs.operation, ctx.call.id)),
    REFUSALS,
  );
}

/** The slug, or where another job has it, the slug and the id that this job will get. */
function freeSlug(slug: string): SQL<string> {
  const taken = sql`SELECT 1 FROM ${jobs} WHERE ${jobs.slug} = ${slug}`;
  const next = sql`SELECT seq + 1 FROM sqlite_sequence WHERE name = 'jobs'`;
  return sql`${slug} || CASE WHEN EXISTS (${taken}) THEN '-' || (${next}) ELSE '' END`;
}

/** Changes what is sent of a job. */
async function updateJob(ctx: WriteCtx, { id }: RecordParams, patch: JobPatch): Promise<JobRow> {
  return atomic(
    ctx,
    [
      ...requireDepartment(patch.department_id),
      ctx.db
        .update(jobs)
        .set({
          ...(await storedColumns(ctx, patch)),
          ...(patch.description_html === undefined ? {} : await descriptionOf(patch.description_html)),
          updatedAt: ctx.now,
        })
        .where(eq(jobs.id, id)),
      refuseIfNone("not_found"),
    ],
    jobSettings.select(eq(jobs.id, id)),
    REFUSALS,
  );
}

/** A description as it is stored: its HTML cleaned, and the same as plain text. Throws 422 where nothing is left. */
async function descriptionOf(html: string) {
  const descriptionHtml = await cleanHtml(html, { styles: false });
  const descriptionText = htmlToText(descriptionHtml);
  if (descriptionText === "") throw fieldProblem("description_html", "html_empty", "must have text in it");
  return { descriptionHtml, descriptionText };
}

/** Only what was sent, but for the description: an undefined column is left as it is. */
async function storedColumns(ctx: ReadCtx, body: Some<JobCreate>) {
  const { description_html: _, location, salary, requirements_html: requirements, skills, ...others } = body;
  return {
    ...columnsOf(jobs, others),
    requirementsHtml: requirements && (await cleanHtml(requirements, { styles: false })),
    skills: skills && JSON.stringify(skills),
    ...(location === undefined
      ? {}
      : {
          city: location?.city || null,
          state: location?.state || null,
          country: location?.country || null,
          postalCode: location?.postal_code || null,
        }),
    ...(salary === undefined
      ? {}
      : {
          salaryMin: salary?.min ?? null,
          salaryMax: salary?.max ?? null,
          salaryCurrency: salary?.currency ?? ctx.company.currency,
          salaryInterval: salary?.interval ?? DEFAULT_INTERVAL,
        }),
  };
}
