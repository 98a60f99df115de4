import * as z from "zod";
import { isoDate, timestamp } from "#shared/dates.ts";
import { idReference, recordId } from "#shared/ids.ts";
import { money } from "#shared/numbers.ts";
import { patchOf } from "#shared/patch.ts";
import { cleanText } from "#shared/text.ts";
import {
  APPLICATION_STATUSES,
  EMPLOYMENT_TYPES,
  Job,
  jobSlug,
  SALARY_INTERVALS,
  WORKPLACE_TYPES,
} from "../schema.ts";

const html = (description: string) => z.string().max(50_000).meta({ description });
const years = z.int().min(0).max(60).nullable();
const place = (max: number) => cleanText({ max }).nullable().optional();

const jobFields = z.object({
  slug: jobSlug.meta({ description: "Made from the title where none is sent." }),
  title: cleanText({ min: 1, max: 255 }),
  department_id: idReference.nullable(),
  employment_type: z.enum(EMPLOYMENT_TYPES).meta({ description: "`full_time` where none is sent." }),
  workplace_type: z.enum(WORKPLACE_TYPES).meta({ description: "`on_site` where none is sent." }),
  location: z
    .object({ city: place(100), state: place(100), country: place(100), postal_code: place(20) })
    .nullable(),
  description_html: html("Cleaned as it is stored: no script, style, frame, form or event handler stays."),
  requirements_html: html("Cleaned alike.").nullable(),
  skills: z.array(cleanText({ min: 1, max: 100 })).max(50),
  experience_min: years.meta({ description: "In years." }),
  experience_max: years,
  openings: z.int().min(1).max(10_000),
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
    .meta({ description: "In the company's currency and a year, where not said otherwise." }),
  publish_salary: z.boolean().meta({ description: "Without it no career site learns the salary." }),
  status: z.enum(["open", "closed"]),
  is_published: z.boolean(),
  posted_at: timestamp.meta({ description: "Not shown before; now where none is sent." }),
  closes_at: isoDate
    .nullable()
    .meta({ description: "The last day; it ends at midnight where the company is." }),
});

export const JobCreate = jobFields.partial().required({ title: true, description_html: true });
export const JobPatch = patchOf(jobFields);
export const IdParams = z.object({ id: recordId });
export const JobSettings = Job.extend({
  publish_salary: z.boolean(),
  status: z.enum(["open", "closed"]),
  is_published: z.boolean(),
  created_at: z.string(),
});

const departmentFields = z.object({
  name: cleanText({ min: 1, max: 100 }),
  parent_id: idReference.nullable(),
  is_active: z.boolean(),
});
export const DepartmentCreate = departmentFields.partial().required({ name: true });
export const DepartmentPatch = patchOf(departmentFields);
export const DepartmentSettings = z.object({
  id: z.int(),
  name: z.string(),
  parent_id: z.int().nullable(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export const DeletedRecord = z.object({ id: z.int(), deleted: z.literal(true) });

export const ApplicationQuery = z.object({
  job_id: idReference.optional(),
  status: z.enum(APPLICATION_STATUSES).optional(),
});
export const ApplicationPatch = patchOf(z.object({ status: z.enum(APPLICATION_STATUSES) }));
export const Application = z
  .object({
    id: z.int(),
    application_number: z.string(),
    job: z.object({ id: z.int(), slug: z.string(), title: z.string() }),
    status: z.enum(APPLICATION_STATUSES),
    first_name: z.string(),
    last_name: z.string().nullable(),
    email: z.string(),
    phone: z.string().nullable(),
    cover_letter: z.string().nullable(),
    total_experience: z.number().nullable(),
    expected_salary: z.number().nullable(),
    notice_period_days: z.int().nullable(),
    linkedin_url: z.string().nullable(),
    skills: z.array(z.string()),
    consent: z.boolean().nullable(),
    is_flagged: z.boolean().meta({ description: "One visitor sent more than ten within an hour." }),
    resume: z.object({ name: z.string(), content_type: z.string(), size: z.int(), url: z.string() }),
    applied_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Application" });

const settingsFields = z.object({
  retention_days: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .meta({ description: "Applications are erased so many days after they came; null: they are kept." }),
});
export const RecruitmentSettingsPatch = patchOf(settingsFields);
export const RecruitmentSettings = settingsFields;

export type JobCreate = z.infer<typeof JobCreate>;
export type JobPatch = z.infer<typeof JobPatch>;
export type IdParams = z.infer<typeof IdParams>;
export type DepartmentCreate = z.infer<typeof DepartmentCreate>;
export type DepartmentPatch = z.infer<typeof DepartmentPatch>;
export type ApplicationQuery = z.infer<typeof ApplicationQuery>;
export type ApplicationPatch = z.infer<typeof ApplicationPatch>;
export type RecruitmentSettingsPatch = z.infer<typeof RecruitmentSettingsPatch>;
