import { sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { added, described, flag, from, instant, internal, json } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { departments, jobs } from "#tables/recruitment";
import { EMPLOYMENT_TYPES, SALARY_INTERVALS, WORKPLACE_TYPES } from "./schema.ts";

type OfDepartment = { department_id: number | null; department_name: string | null };
type Place = Record<"city" | "state" | "country" | "postal_code", string | null>;
type Pay = {
  salary_min: number | null;
  salary_max: number | null;
  salary_currency: string;
  salary_interval: (typeof SALARY_INTERVALS)[number];
};

/** A job as its company sees it. */
export const jobSettings = record(
  jobs,
  {
    id: z.int(),
    slug: z.string(),
    title: z.string(),
    department: added(
      z.object({ id: z.int(), name: z.string() }).nullable(),
      ({ department_id: id, department_name: name }: OfDepartment) =>
        id === null ? null : { id, name: name ?? "" },
    ),
    department_id: internal<number | null>(),
    department_name: internal(sql<string | null>`${departments.name}`),
    employment_type: from(
      sql<(typeof EMPLOYMENT_TYPES)[number]>`${jobs.employmentType}`,
      z.enum(EMPLOYMENT_TYPES).meta({ description: "The words of schema.org in lower case." }),
    ),
    workplace_type: z.enum(WORKPLACE_TYPES),
    location: added(
      z
        .object({
          city: z.string().nullable(),
          state: z.string().nullable(),
          country: z.string().nullable(),
          postal_code: z.string().nullable(),
        })
        .nullable(),
      locationOf,
    ),
    city: internal<string | null>(),
    state: internal<string | null>(),
    country: internal<string | null>(),
    postal_code: internal<string | null>(),
    description_html: z.string().meta({ description: "Cleaned HTML. A page can show it as it is." }),
    description_text: z.string(),
    requirements_html: z.string().nullable().describe("What is asked of applicants, cleaned."),
    skills: json(z.array(z.string())),
    experience_min: z.int().nullable().meta({ description: "In years." }),
    experience_max: z.int().nullable().describe("In years."),
    openings: z.int().describe("How many people are looked for."),
    salary: added(
      z
        .object({
          min: moneyOnWire.nullable(),
          max: moneyOnWire.nullable(),
          currency: z.string(),
          interval: z.enum(SALARY_INTERVALS),
        })
        .nullable()
        .meta({ description: "Null if the company does not publish it." }),
      salaryOf,
    ),
    salary_min: internal<number | null>(),
    salary_max: internal<number | null>(),
    salary_currency: internal<string>(),
    salary_interval: internal<Pay["salary_interval"]>(),
    posted_at: instant,
    closes_at: z
      .string()
      .nullable()
      .meta({ format: "date", description: "The last day; it ends at midnight where the company is." }),
    updated_at: instant,
    apply_url: added(
      z.string().meta({ description: "The address that an application is sent to." }),
      ({ slug }: { slug: string }, { origin, company }: Pick<ReadCtx & OutsideCtx, "origin" | "company">) =>
        `${origin}/v1/recruitment/${company.slug}/jobs/${slug}/apply`,
    ),
    publish_salary: described(flag, "Whether the career site shows the pay."),
    status: z.enum(["open", "closed"]),
    is_published: described(flag, "Whether the career site shows it."),
    created_at: instant,
  },
  "JobSettings",
  () => sql`${jobs} LEFT JOIN ${departments} ON ${departments.id} = ${jobs.departmentId}`,
);
export type JobRow = RowOf<typeof jobSettings>;

const shownJob = jobSettings.omit("publish_salary", "status", "is_published", "created_at");
/** A job as a career site shows it. */
export const Job = shownJob.schema.meta({ id: "Job" });

/** A job as a career site sees it: a salary that is not published stays out. */
export function renderJob(row: JobRow, ctx: ReadCtx & OutsideCtx) {
  const shown = shownJob.render(row, ctx);
  return row.publish_salary === 1 ? shown : { ...shown, salary: null };
}

/** The data of job events: as the company sees a job. */
export const jobResource = resource({
  name: "job",
  scope: "settings:read",
  record: jobSettings,
  select: (_ctx, id) => jobSettings.select(sql`${jobs.id} = ${id}`),
});

function locationOf({ city, state, country, postal_code }: Place): Place | null {
  const location = { city, state, country, postal_code };
  return Object.values(location).some((part) => part !== null) ? location : null;
}

function salaryOf({ salary_min: min, salary_max: max, salary_currency: currency, salary_interval }: Pay) {
  if (min === null && max === null) return null;
  return {
    min: min === null ? null : moneyToWire(min),
    max: max === null ? null : moneyToWire(max),
    currency,
    interval: salary_interval,
  };
}
