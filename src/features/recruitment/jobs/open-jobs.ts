import { type SQL, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { containsText } from "#core/sql/text-search.ts";
import type { Listed, Page } from "#shared/page.ts";
import { jobs } from "#tables/recruitment";
import { isOpen } from "./open-job.ts";
import { Job, type JobRow, jobSettings, renderJob } from "./record.ts";
import { JobParams, JobQuery } from "./schema.ts";

export const jobRoutes = new Router("Recruitment", "/jobs", { record: { schema: Job, render: renderJob } })
  .list({ listJobs }, "/", {
    summary: "List open jobs",
    description: "Jobs that take applications now, with their descriptions, newest first.",
    query: JobQuery,
    sort: (row) => [row.posted_at, row.id],
  })
  .get(
    {
      getJob: (ctx, { slug }) =>
        readOne(ctx, jobSettings.select(sql`${jobs.slug} = ${slug} AND ${isOpen(ctx)}`)),
    },
    "/:slug",
    { summary: "Read an open job", params: JobParams },
  );

/** The open jobs, the newest first. */
async function listJobs(
  ctx: CallCtx,
  _params: unknown,
  { page, ...query }: JobQuery & { page: Page },
): Promise<Listed<JobRow>> {
  const tail = sql`${sql.join([isOpen(ctx), ...filters(query), ...later(page)], sql` AND `)}
    ORDER BY ${jobs.postedAt} DESC, ${jobs.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, jobSettings.select(tail));
}

function filters(query: JobQuery): SQL[] {
  const wanted: [unknown, SQL][] = [
    [query.department, sql`${jobs.departmentId} = ${query.department}`],
    [query.location, sql`${jobs.city} = ${query.location} COLLATE NOCASE`],
    [query.employment_type, sql`${jobs.employmentType} = ${query.employment_type}`],
    [query.workplace_type, sql`${jobs.workplaceType} = ${query.workplace_type}`],
    [query.q, containsText(query.q ?? "", [jobs.title, jobs.descriptionText])],
  ];
  return wanted.filter(([value]) => value !== undefined).map(([, condition]) => condition);
}

function later({ after }: Page): SQL[] {
  if (after === null) return [];
  const [postedAt, id] = after;
  return [sql`(${jobs.postedAt}, ${jobs.id}) < (${postedAt}, ${id})`];
}
