import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { booleanText, decimalText, jsonText } from "#shared/fields/form-fields.ts";
import { idReference } from "#shared/fields/ids.ts";
import { timeFilters } from "#shared/fields/list-filters.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, phoneText } from "#shared/fields/text.ts";
import { uploadOf } from "#shared/files/file-field.ts";
import { application } from "./record.ts";

const { status } = application.schema.shape;

const noAddress = z.refine<string>((text) => !/http|www\.|:\/\//i.test(text), {
  params: { code: "address_not_accepted" },
  error: "must not contain a web address",
});

export const ApplicationForm = z.object({
  first_name: cleanText({ min: 1, max: 100 }).check(noAddress),
  last_name: cleanText({ max: 100 }).check(noAddress).optional(),
  email: emailOf(255),
  phone: phoneText({ max: 30 })
    .check(noAddress)
    .refine((text) => text === "" || /[0-9]/.test(text), {
      params: { code: "invalid_phone" },
      error: "must be a phone number",
    })
    .optional(),
  resume: uploadOf("pdf", "doc", "docx"),
  cover_letter: cleanMultilineText({ max: 5_000 }).optional(),
  total_experience: decimalText({ max: 50, places: 2 }).optional().meta({ description: "In years." }),
  expected_salary: decimalText({ max: 9_999_999_999.99, places: 2 }).optional(),
  notice_period_days: decimalText({ max: 9_999, places: 0 })
    .optional()
    .describe("Until the applicant can begin."),
  linkedin_url: z
    .url({ protocol: /^https?$/, error: "must be a web address" })
    .max(500)
    .optional(),
  skills: jsonText(z.array(cleanText({ min: 1, max: 100 })).max(50))
    .optional()
    .meta({ description: "A JSON array of texts, sent as one text." }),
  consent: booleanText.optional().describe("Whether the applicant agreed that the company keeps their data."),
  _hp: z.string().optional().describe("A hidden field that people do not see. Only bots fill it in."),
});

export const ApplicationQuery = z.object({
  job_id: idReference.optional(),
  status: status.optional(),
  ...timeFilters,
});
export const ApplicationPatch = patchOf(z.object({ status }));
export type ApplicationForm = z.infer<typeof ApplicationForm>;
export type ApplicationQuery = z.infer<typeof ApplicationQuery>;
export type ApplicationPatch = z.infer<typeof ApplicationPatch>;
