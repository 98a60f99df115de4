import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import { containsText } from "#core/sql/text-search.ts";
import type { Listed, Page } from "#shared/page.ts";
import { isOpen } from "./open-job.ts";
import type { JobQuery } from "./schema.ts";
import { type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

/** The open jobs, the newest first. */
export async function listJobs(
  ctx: CallCtx,
  _params: unknown,
  { page, ...query }: JobQuery & { page: Page },
): Promise<Listed<JobRow>> {
  const tail = sql`${sql.join([isOpen(ctx), ...filters(query), ...later(page)], sql` AND `)}
    ORDER BY ${jobs.postedAt} DESC, ${jobs.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectJobs(tail));
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
