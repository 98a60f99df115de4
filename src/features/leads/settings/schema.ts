import * as z from "zod";
import { recordId } from "#shared/ids.ts";
import { patchOf } from "#shared/patch.ts";
import { cleanText } from "#shared/text.ts";
import { LeadSource } from "../schema.ts";

const sourceFields = z.object({ name: cleanText({ min: 1, max: 100 }), is_active: z.boolean() });
export const SourceCreate = sourceFields
  .extend({
    slug: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,49}$/,
        "must be 1 to 50 lower-case letters, digits, hyphens or underscores",
      ),
  })
  .partial({ is_active: true });
export const SourcePatch = patchOf(sourceFields);
export const SourceSettings = LeadSource.extend({ is_active: z.boolean() });
export const IdParams = z.object({ id: recordId });
export const SubmissionParams = z.object({ id: recordId, submission_id: recordId });
export const DeletedRecord = z.object({ id: z.int(), deleted: z.literal(true) });

export const LeadQuery = z.object({
  status: z.enum(["new", "converted", "lost"]).optional(),
  source: cleanText({ min: 1, max: 50 }).optional().meta({ description: "The `slug` of a lead source." }),
});
export const LeadClose = z.object({ status: z.enum(["converted", "lost"]) });

export const Lead = z
  .object({
    id: z.int(),
    lead_number: z.string(),
    status: z.enum(["new", "converted", "lost"]),
    source: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company_name: z.string().nullable(),
    job_title: z.string().nullable(),
    website: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    country: z.string().nullable(),
    pincode: z.string().nullable(),
    product_interest: z.string().nullable(),
    budget: z.number().nullable(),
    submission_count: z.int(),
    created_at: z.string(),
    last_submitted_at: z.string(),
    closed_at: z.string().nullable(),
    updated_at: z.string(),
  })
  .meta({ id: "Lead" });

export const Submission = z
  .object({
    id: z.int(),
    fields: z.record(z.string(), z.unknown()).meta({ description: "As they were sent, by name." }),
    attachment: z
      .object({ name: z.string(), content_type: z.string(), size: z.int(), url: z.string() })
      .nullable(),
    submitted_at: z.string(),
  })
  .meta({ id: "LeadSubmission" });

export const LeadWithSubmissions = Lead.extend({
  submissions: z.array(Submission).meta({
    description: "The newest hundred; `/submissions` lists all. The same again at once is only counted.",
  }),
});

export const LeadSettingsPatch = patchOf(
  z.object({
    retention_days: z
      .int()
      .min(1)
      .max(36_500)
      .nullable()
      .meta({ description: "Leads are erased so many days after they last spoke; null: they are kept." }),
    turnstile_secret: cleanText({ min: 8, max: 200 }).nullable().meta({
      description: "The secret key of the company's Turnstile widget; then every form needs its token.",
    }),
  }),
);
export const LeadSettings = z.object({
  retention_days: z.int().nullable(),
  turnstile: z.object({ configured: z.boolean(), last_characters: z.string().nullable() }),
});

export type SourceCreate = z.infer<typeof SourceCreate>;
export type SourcePatch = z.infer<typeof SourcePatch>;
export type IdParams = z.infer<typeof IdParams>;
export type SubmissionParams = z.infer<typeof SubmissionParams>;
export type LeadQuery = z.infer<typeof LeadQuery>;
export type LeadClose = z.infer<typeof LeadClose>;
export type LeadSettingsPatch = z.infer<typeof LeadSettingsPatch>;
