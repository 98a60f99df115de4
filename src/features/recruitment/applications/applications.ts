import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, FileCtx, OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { fromScaled } from "#shared/decimal.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { jobs } from "../jobs/tables.ts";
import type { APPLICATION_STATUSES, ApplicationPatch, ApplicationQuery } from "./schema.ts";
import { applications, RESUMES } from "./tables.ts";

const shape = {
  id: applications.id,
  application_number: applications.applicationNumber,
  job_id: applications.jobId,
  job_slug: sql<string>`${jobs.slug}`,
  job_title: sql<string>`${jobs.title}`,
  status: sql<(typeof APPLICATION_STATUSES)[number]>`${applications.status}`,
  first_name: applications.firstName,
  last_name: applications.lastName,
  email: applications.email,
  phone: applications.phone,
  cover_letter: applications.coverLetter,
  total_experience: applications.totalExperience,
  expected_salary: applications.expectedSalary,
  notice_period_days: applications.noticePeriodDays,
  linkedin_url: applications.linkedinUrl,
  skills: sql<string[]>`json(${applications.skills})`,
  consent: applications.consent,
  is_flagged: applications.isFlagged,
  resume_name: applications.resumeName,
  resume_type: applications.resumeType,
  resume_size: applications.resumeSize,
  applied_at: applications.appliedAt,
  updated_at: applications.updatedAt,
};
type ApplicationRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Applications, newest first. */
export async function listApplications(
  ctx: CallCtx,
  _params: unknown,
  { job_id: jobId, status, page }: ApplicationQuery & { page: Page },
): Promise<Listed<ApplicationRow>> {
  const ofJob = jobId === undefined ? sql`` : sql`AND ${applications.jobId} = ${jobId}`;
  const inStatus = status === undefined ? sql`` : sql`AND ${applications.status} = ${status}`;
  const tail = sql`${applications.id} < ${idBelow(page)} ${ofJob} ${inStatus}
    ORDER BY ${applications.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectApplications(tail));
}

export function getApplication(ctx: CallCtx, { id }: RecordParams): Promise<ApplicationRow> {
  return readOne(ctx, selectApplications(eq(applications.id, id)));
}

/** Moves an application to any status. */
export function updateApplication(
  ctx: WriteCtx,
  { id }: RecordParams,
  { status }: ApplicationPatch,
): Promise<ApplicationRow> {
  const here = eq(applications.id, id);
  return atomic(
    ctx,
    [ctx.db.update(applications).set({ status, updatedAt: ctx.now }).where(here), refuseIfNone("not_found")],
    selectApplications(here),
  );
}

export async function downloadResume(ctx: CallCtx & FileCtx, { id }: RecordParams): Promise<StoredFile> {
  const { resumePath: path, resumeName: name, resumeType: type } = applications;
  const [[resume]] = await read(ctx, [
    ctx.db.select({ path, name, type }).from(applications).where(eq(applications.id, id)),
  ]);
  if (resume === undefined) throw new Problem("not_found");
  return ctx.files(RESUMES).get(resume);
}

export function renderApplication(row: ApplicationRow, ctx: ReadCtx & OutsideCtx) {
  return {
    ...row,
    job: { id: row.job_id, slug: row.job_slug, title: row.job_title },
    total_experience: row.total_experience === null ? null : fromScaled(row.total_experience, 2),
    expected_salary: row.expected_salary === null ? null : moneyToWire(row.expected_salary),
    consent: row.consent === null ? null : row.consent === 1,
    is_flagged: row.is_flagged === 1,
    resume: {
      name: row.resume_name,
      content_type: row.resume_type,
      size: row.resume_size,
      url: `${ctx.origin}/v1/settings/${ctx.company.slug}/applications/${row.id}/resume`,
    },
    applied_at: timestampToWire(row.applied_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

/** The SELECT of applications; `tail` goes on after WHERE. */
export function selectApplications(tail: SQL): SQL<ApplicationRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${applications}
    JOIN ${jobs} ON ${jobs.id} = ${applications.jobId} WHERE ${tail}`;
}
