import * as z from "zod";
import { emailOf } from "#shared/email-address.ts";
import { booleanText, decimalText, jsonText } from "#shared/form-fields.ts";
import { idReference } from "#shared/ids.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";
import { uploadOf } from "#shared/upload.ts";

export const EMPLOYMENT_TYPES = [
  "full_time",
  "part_time",
  "contractor",
  "temporary",
  "intern",
  "volunteer",
  "per_diem",
  "other",
] as const;
export const WORKPLACE_TYPES = ["on_site", "remote", "hybrid"] as const;
export const SALARY_INTERVALS = ["hour", "month", "year"] as const;
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

const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/;
const slugInPath = z.string().regex(SLUG);
export const jobSlug = z
  .string()
  .regex(SLUG, "must be 1 to 100 lower-case letters, digits or hyphens, not starting with a hyphen");

export const JobParams = z.object({ slug: slugInPath });
export const JobQuery = z.object({
  department: idReference.optional().meta({ description: "The `id` of a department." }),
  location: cleanText({ min: 1, max: 100 }).optional().meta({ description: "A city, in any case." }),
  employment_type: z.enum(EMPLOYMENT_TYPES).optional(),
  workplace_type: z.enum(WORKPLACE_TYPES).optional(),
  q: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "Part of the title or the description, in any case." }),
});

const JobLocation = z.object({
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
  postal_code: z.string().nullable(),
});
const Salary = z.object({
  min: z.number().nullable(),
  max: z.number().nullable(),
  currency: z.string(),
  interval: z.enum(SALARY_INTERVALS),
});

/** A job as a career site shows it. */
export const Job = z
  .object({
    id: z.int(),
    slug: z.string().meta({ description: "Names the job in addresses." }),
    title: z.string(),
    department: z.object({ id: z.int(), name: z.string() }).nullable(),
    employment_type: z
      .enum(EMPLOYMENT_TYPES)
      .meta({ description: "The words of schema.org, in lower case." }),
    workplace_type: z.enum(WORKPLACE_TYPES),
    location: JobLocation.nullable(),
    description_html: z.string().meta({ description: "Clean: it may stand in a page as it is." }),
    description_text: z.string().meta({ description: "The same without its markup." }),
    requirements_html: z.string().nullable(),
    skills: z.array(z.string()),
    experience_min: z.int().nullable().meta({ description: "In years." }),
    experience_max: z.int().nullable(),
    openings: z.int(),
    salary: Salary.nullable().meta({ description: "Null where the company does not publish it." }),
    posted_at: z.string(),
    closes_at: z
      .string()
      .nullable()
      .meta({ format: "date", description: "The last day; it ends at midnight where the company is." }),
    updated_at: z.string(),
    apply_url: z.string().meta({ description: "Where an application is sent to." }),
  })
  .meta({ id: "Job" });

export const Department = z.object({
  id: z.int(),
  name: z.string(),
  parent_id: z.int().nullable(),
  open_jobs_count: z.int().meta({ description: "Of this department itself, not of those below it." }),
});

const noAddress = z.refine<string>((text) => !/http|www\.|:\/\//i.test(text), {
  params: { code: "address_not_accepted" },
  error: "must not contain a web address",
});

export const ApplicationForm = z.object({
  first_name: cleanText({ min: 1, max: 100 }).check(noAddress),
  last_name: cleanText({ max: 100 }).check(noAddress).optional(),
  email: z.string().trim().max(255).pipe(emailOf(255)),
  phone: cleanText({ max: 30 }).check(noAddress).optional(),
  resume: uploadOf("pdf", "doc", "docx"),
  cover_letter: cleanMultilineText({ max: 5_000 }).optional(),
  total_experience: decimalText({ max: 50, places: 2 }).optional().meta({ description: "In years." }),
  expected_salary: decimalText({ max: 9_999_999_999.99, places: 2 }).optional(),
  notice_period_days: decimalText({ max: 9_999, places: 0 }).optional(),
  linkedin_url: z
    .url({ protocol: /^https?$/, error: "must be a web address" })
    .max(500)
    .optional(),
  skills: jsonText(z.array(cleanText({ min: 1, max: 100 })).max(50))
    .optional()
    .meta({ description: "A JSON array of texts, as one text." }),
  consent: booleanText.optional().meta({ description: "Whether the applicant agreed to be kept on file." }),
  _hp: z.string().optional().meta({ description: "A field that people do not see: machines fill it in." }),
});

/** What an applicant is told. */
export const ReceivedApplication = z.object({
  id: z.int(),
  application_number: z.string(),
  job: z.object({ slug: z.string(), title: z.string() }),
  status: z.literal("received"),
  applied_at: z.string(),
});

export type JobParams = z.infer<typeof JobParams>;
export type JobQuery = z.infer<typeof JobQuery>;
export type ApplicationForm = z.infer<typeof ApplicationForm>;
