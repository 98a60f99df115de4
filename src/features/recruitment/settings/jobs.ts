import { eq, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { cleanHtml, htmlToText } from "#shared/html.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { slugify } from "#shared/slug.ts";
import { type JobRow, selectJobs } from "../snapshot.ts";
import { applications, jobs } from "../tables.ts";
import { requireDepartment } from "./departments.ts";
import type { IdParams, JobCreate, JobPatch } from "./schema.ts";

const NAMELESS = "job";
const DEFAULT_INTERVAL = "year";
const LONGEST_SLUG = 80;

/** All jobs, closed and unpublished ones too, newest first. */
export async function listJobSettings(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<JobRow>> {
  const tail = sql`${jobs.id} < ${idBelow(page)} ORDER BY ${jobs.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectJobs(tail));
}

export function getJobSettings(ctx: Ctx, { id }: IdParams): Promise<JobRow> {
  return readOne(ctx, selectJobs(eq(jobs.id, id)));
}

export async function createJob(ctx: Ctx, _params: unknown, body: JobCreate): Promise<JobRow> {
  const columns = await columnsOf(ctx, body);
  return atomic(
    ctx,
    [
      ...requireDepartment(body.department_id),
      ctx.db.insert(jobs).values({
        ...columns,
        ...(await descriptionOf(body.description_html)),
        operation: ctx.operation.id,
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
    selectJobs(eq(jobs.operation, ctx.operation.id)),
    REFUSALS,
  );
}

export async function updateJob(ctx: Ctx, { id }: IdParams, patch: JobPatch): Promise<JobRow> {
  return atomic(
    ctx,
    [
      ...requireDepartment(patch.department_id),
      ctx.db
        .update(jobs)
        .set({
          ...(await columnsOf(ctx, patch)),
          ...(patch.description_html === undefined ? {} : await descriptionOf(patch.description_html)),
          updatedAt: ctx.now,
        })
        .where(eq(jobs.id, id)),
      refuseIfNone("not_found"),
    ],
    selectJobs(eq(jobs.id, id)),
    REFUSALS,
  );
}

/** Removes a job that nobody applied for; any other can be closed. */
export function deleteJob(ctx: Ctx, { id }: IdParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${applications} WHERE ${applications.jobId} = ${id})`, "in_use"),
      ctx.db.delete(jobs).where(eq(jobs.id, id)),
      refuseIfNone("not_found"),
    ],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
}

const REFUSALS = {
  department_gone: () => fieldProblem("department_id", "not_found", "names no department"),
  job_experience: () => fieldProblem("experience_max", "too_small", "must not be below experience_min"),
  job_salary: () => fieldProblem("salary.max", "too_small", "must not be below salary.min"),
};

/** The slug, or where another job has it, the slug and the id that this job will get. */
function freeSlug(slug: string): SQL<string> {
  const taken = sql`SELECT 1 FROM ${jobs} WHERE ${jobs.slug} = ${slug}`;
  const next = sql`SELECT seq + 1 FROM sqlite_sequence WHERE name = 'jobs'`;
  return sql`${slug} || CASE WHEN EXISTS (${taken}) THEN '-' || (${next}) ELSE '' END`;
}

async function descriptionOf(html: string) {
  const descriptionHtml = await cleanHtml(html, { styles: false });
  const descriptionText = htmlToText(descriptionHtml);
  if (descriptionText === "") throw fieldProblem("description_html", "html_empty", "must have text in it");
  return { descriptionHtml, descriptionText };
}

/** Only what was sent, but for the description: an undefined column is left as it is. */
async function columnsOf(ctx: Ctx, fields: Partial<JobPatch>) {
  const { location, salary, requirements_html: requirements } = fields;
  return {
    slug: fields.slug,
    title: fields.title,
    departmentId: fields.department_id,
    employmentType: fields.employment_type,
    workplaceType: fields.workplace_type,
    ...(location === undefined
      ? {}
      : {
          city: location?.city || null,
          state: location?.state || null,
          country: location?.country || null,
          postalCode: location?.postal_code || null,
        }),
    requirementsHtml: requirements && (await cleanHtml(requirements, { styles: false })),
    skills: fields.skills && JSON.stringify(fields.skills),
    experienceMin: fields.experience_min,
    experienceMax: fields.experience_max,
    openings: fields.openings,
    ...(salary === undefined
      ? {}
      : {
          salaryMin: salary?.min ?? null,
          salaryMax: salary?.max ?? null,
          salaryCurrency: salary?.currency ?? ctx.company.currency,
          salaryInterval: salary?.interval ?? DEFAULT_INTERVAL,
        }),
    publishSalary: flag(fields.publish_salary),
    status: fields.status,
    isPublished: flag(fields.is_published),
    postedAt: fields.posted_at,
    closesAt: fields.closes_at,
  };
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
