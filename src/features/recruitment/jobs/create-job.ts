import { eq, type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { slugify } from "#shared/text/slug.ts";
import { requireDepartment } from "../departments/require-department.ts";
import { columnsOf, DEFAULT_INTERVAL, descriptionOf, REFUSALS } from "./job-columns.ts";
import type { JobCreate } from "./schema.ts";
import { type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

const NAMELESS = "job";
const LONGEST_SLUG = 80;

/** Adds a job; what is not sent gets its default. Throws 422 for a department that is not there. */
export async function createJob(ctx: WriteCtx, _params: unknown, body: JobCreate): Promise<JobRow> {
  const columns = await columnsOf(ctx, body);
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
    selectJobs(eq(jobs.operation, ctx.call.id)),
    REFUSALS,
  );
}

/** The slug, or where another job has it, the slug and the id that this job will get. */
function freeSlug(slug: string): SQL<string> {
  const taken = sql`SELECT 1 FROM ${jobs} WHERE ${jobs.slug} = ${slug}`;
  const next = sql`SELECT seq + 1 FROM sqlite_sequence WHERE name = 'jobs'`;
  return sql`${slug} || CASE WHEN EXISTS (${taken}) THEN '-' || (${next}) ELSE '' END`;
}
