import { sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import {
  added,
  amount,
  described,
  flag,
  instant,
  internal,
  json,
  nullable,
  rendered,
} from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { fromScaled } from "#shared/decimal.ts";
import { applications, jobs } from "#tables/recruitment";

export const APPLICATION_STATUSES = [
  "received",
  "in_review",
  "shortlisted",
  "interview",
  "offered",
  "hired",
  "rejected",
  "withdrawn",
] as const;

type OfJob = { job_id: number; job_slug: string; job_title: string };
type Resume = { id: number; resume_name: string; resume_type: string; resume_size: number };

/** An application for a job. */
export const application = record(
  applications,
  {
    id: z.int(),
    application_number: z.string().describe("The number that the company and the applicant quote."),
    job: added(
      z.object({ id: z.int(), slug: z.string(), title: z.string() }),
      ({ job_id: id, job_slug: slug, job_title: title }: OfJob) => ({ id, slug, title }),
    ),
    job_id: internal<number>(),
    job_slug: internal(jobs.slug),
    job_title: internal(jobs.title),
    status: z.enum(APPLICATION_STATUSES),
    first_name: z.string(),
    last_name: z.string().nullable(),
    email: z.string(),
    phone: z.string().nullable(),
    cover_letter: z.string().nullable(),
    total_experience: described(
      nullable(rendered(z.number(), (hundredths: number) => fromScaled(hundredths, 2))),
      "In years.",
    ),
    expected_salary: nullable(amount),
    notice_period_days: z.int().nullable().describe("Until the applicant can begin."),
    linkedin_url: z.string().nullable(),
    skills: json(z.array(z.string())),
    consent: described(nullable(flag), "Whether the person agreed to be written to."),
    is_flagged: described(flag, "True: one visitor sent more than ten applications within an hour."),
    resume: added(
      z.object({
        name: z.string(),
        content_type: z.string(),
        size: z.int().describe("In bytes."),
        url: z.string(),
      }),
      (row: Resume, { origin, company }: Pick<ReadCtx & OutsideCtx, "origin" | "company">) => ({
        name: row.resume_name,
        content_type: row.resume_type,
        size: row.resume_size,
        url: `${origin}/v1/settings/${company.slug}/applications/${row.id}/resume`,
      }),
    ),
    resume_name: internal<string>(),
    resume_type: internal<string>(),
    resume_size: internal<number>(),
    applied_at: instant,
    updated_at: instant,
  },
  "Application",
  withJob,
);
export type ApplicationRow = RowOf<typeof application>;

/** The answer to an applicant. */
export const received = record(
  applications,
  {
    id: z.int(),
    application_number: z.string(),
    job: added(
      z.object({ slug: z.string(), title: z.string() }),
      ({ job_slug: slug, job_title: title }: Omit<OfJob, "job_id">) => ({ slug, title }),
    ),
    job_slug: internal(jobs.slug),
    job_title: internal(jobs.title),
    status: added(z.literal("received"), () => "received" as const),
    applied_at: instant,
    resume_path: internal<string>(),
  },
  "ReceivedApplication",
  withJob,
);
export type ReceivedRow = RowOf<typeof received>;

/** The data of application events. */
export const applicationResource = resource({
  name: "application",
  scope: "settings:read",
  record: application,
  select: (_ctx, id) => application.select(sql`${applications.id} = ${id}`),
});

function withJob() {
  return sql`${applications} JOIN ${jobs} ON ${jobs.id} = ${applications.jobId}`;
}
