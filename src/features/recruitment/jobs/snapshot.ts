import { type SQL, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { departments } from "../departments/tables.ts";
import type { EMPLOYMENT_TYPES, SALARY_INTERVALS, WORKPLACE_TYPES } from "./schema.ts";
import { jobs } from "./tables.ts";

const shape = {
  id: jobs.id,
  slug: jobs.slug,
  title: jobs.title,
  department_id: jobs.departmentId,
  department_name: sql<string | null>`${departments.name}`,
  employment_type: sql<(typeof EMPLOYMENT_TYPES)[number]>`${jobs.employmentType}`,
  workplace_type: sql<(typeof WORKPLACE_TYPES)[number]>`${jobs.workplaceType}`,
  city: jobs.city,
  state: jobs.state,
  country: jobs.country,
  postal_code: jobs.postalCode,
  description_html: jobs.descriptionHtml,
  description_text: jobs.descriptionText,
  requirements_html: jobs.requirementsHtml,
  skills: sql<string[]>`json(${jobs.skills})`,
  experience_min: jobs.experienceMin,
  experience_max: jobs.experienceMax,
  openings: jobs.openings,
  salary_min: jobs.salaryMin,
  salary_max: jobs.salaryMax,
  salary_currency: jobs.salaryCurrency,
  salary_interval: sql<(typeof SALARY_INTERVALS)[number]>`${jobs.salaryInterval}`,
  publish_salary: jobs.publishSalary,
  status: sql<"open" | "closed">`${jobs.status}`,
  is_published: jobs.isPublished,
  posted_at: jobs.postedAt,
  closes_at: jobs.closesAt,
  created_at: jobs.createdAt,
  updated_at: jobs.updatedAt,
};
/** A job as the database holds it, with the name of its department. */
export type JobRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of jobs; `tail` goes on after WHERE. */
export function selectJobs(tail: SQL): SQL<JobRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${jobs}
    LEFT JOIN ${departments} ON ${departments.id} = ${jobs.departmentId} WHERE ${tail}`;
}

/** A job as a career site sees it: what is not published of it stays out. */
export function renderJob(row: JobRow, ctx: ReadCtx & OutsideCtx) {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    department:
      row.department_id === null ? null : { id: row.department_id, name: row.department_name ?? "" },
    employment_type: row.employment_type,
    workplace_type: row.workplace_type,
    location: locationOf(row),
    description_html: row.description_html,
    description_text: row.description_text,
    requirements_html: row.requirements_html,
    skills: row.skills,
    experience_min: row.experience_min,
    experience_max: row.experience_max,
    openings: row.openings,
    salary: row.publish_salary === 1 ? salaryOf(row) : null,
    posted_at: timestampToWire(row.posted_at),
    closes_at: row.closes_at,
    updated_at: timestampToWire(row.updated_at),
    apply_url: `${ctx.origin}/v1/recruitment/${ctx.company.slug}/jobs/${row.slug}/apply`,
  };
}

/** A job as its company sees it. */
export function renderJobSettings(row: JobRow, ctx: ReadCtx & OutsideCtx) {
  return {
    ...renderJob(row, ctx),
    salary: salaryOf(row),
    publish_salary: row.publish_salary === 1,
    status: row.status,
    is_published: row.is_published === 1,
    created_at: timestampToWire(row.created_at),
  };
}

function locationOf({ city, state, country, postal_code }: JobRow) {
  const location = { city, state, country, postal_code };
  return Object.values(location).some((part) => part !== null) ? location : null;
}

function salaryOf({ salary_min: min, salary_max: max, salary_currency: currency, salary_interval }: JobRow) {
  if (min === null && max === null) return null;
  return {
    min: min === null ? null : moneyToWire(min),
    max: max === null ? null : moneyToWire(max),
    currency,
    interval: salary_interval,
  };
}
