import type { ReadCtx } from "#core/context.ts";
import { cleanHtml, htmlToText } from "#shared/html/clean-html.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { JobPatch } from "./schema.ts";

export const DEFAULT_INTERVAL = "year";

/** What a write of a job is refused with. */
export const REFUSALS = {
  department_gone: () => fieldProblem("department_id", "not_found", "names no department"),
  job_experience: () => fieldProblem("experience_max", "too_small", "must not be below experience_min"),
  job_salary: () => fieldProblem("salary.max", "too_small", "must not be below salary.min"),
};

/** A description as it is stored: its HTML cleaned, and the same as plain text. Throws 422 where nothing is left. */
export async function descriptionOf(html: string) {
  const descriptionHtml = await cleanHtml(html, { styles: false });
  const descriptionText = htmlToText(descriptionHtml);
  if (descriptionText === "") throw fieldProblem("description_html", "html_empty", "must have text in it");
  return { descriptionHtml, descriptionText };
}

/** Only what was sent, but for the description: an undefined column is left as it is. */
export async function columnsOf(ctx: ReadCtx, fields: Partial<JobPatch>) {
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
