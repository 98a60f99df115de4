import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { money } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText, searchText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";

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

const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/;
const slugInPath = z.string().regex(SLUG);
const jobSlug = z
  .string()
  .regex(SLUG, "must be 1 to 100 lower-case letters, digits or hyphens, not starting with a hyphen");

export const JobParams = z.object({ slug: slugInPath.meta({ examples: ["store-keeper"] }) });
export const JobQuery = z.object({
  department: idReference.optional().meta({ description: "The `id` of a department." }),
  location: cleanText({ min: 1, max: 100 }).optional().describe("A city. Upper and lower case are equal."),
  employment_type: z.enum(EMPLOYMENT_TYPES).optional(),
  workplace_type: z.enum(WORKPLACE_TYPES).optional(),
  q: searchText.optional().describe("Part of the title or the description; case is ignored."),
});

const html = (description: string) => z.string().max(50_000).meta({ description });
const years = z.int().min(0).max(60).nullable();
const place = (max: number) => cleanText({ max }).nullable().optional();

const jobFields = z.object({
  slug: jobSlug.meta({ description: "Default: from the title." }),
  title: cleanText({ min: 1, max: 255 }),
  department_id: idReference.nullable(),
  employment_type: z.enum(EMPLOYMENT_TYPES).meta({ description: "Default: `full_time`." }),
  workplace_type: z.enum(WORKPLACE_TYPES).meta({ description: "Default: `on_site`." }),
  location: z
    .object({ city: place(100), state: place(100), country: place(100), postal_code: place(20) })
    .nullable(),
  description_html: html("Cleaned as it is stored: no script, style, frame, form or event handler stays."),
  requirements_html: html("Cleaned alike.").nullable(),
  skills: z.array(cleanText({ min: 1, max: 100 })).max(50),
  experience_min: years.meta({ description: "In years." }),
  experience_max: years.describe("In years."),
  openings: z.int().min(1).max(10_000).describe("How many people are looked for."),
  salary: z
    .object({
      min: money().nullable().optional(),
      max: money().nullable().optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, "must be a currency such as INR")
        .optional(),
      interval: z.enum(SALARY_INTERVALS).optional(),
    })
    .nullable()
    .meta({ description: "Default: in the company's currency and a year." }),
  publish_salary: z.boolean().meta({ description: "False: the career site does not show the salary." }),
  status: z.enum(["open", "closed"]),
  is_published: z.boolean().describe("Whether the career site shows it."),
  posted_at: instant.meta({ description: "The job is not shown before this time. Default: now." }),
  closes_at: isoDate.nullable().describe("The last day; it ends at midnight where the company is."),
});

export const JobCreate = jobFields.partial().required({ title: true, description_html: true });
export const JobPatch = patchOf(jobFields);
export type JobParams = z.infer<typeof JobParams>;
export type JobQuery = z.infer<typeof JobQuery>;
export type JobCreate = z.infer<typeof JobCreate>;
export type JobPatch = z.infer<typeof JobPatch>;
