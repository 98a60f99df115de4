import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { externalIdMember } from "#shared/fields/external-id.ts";
import { booleanText, decimalText, jsonText } from "#shared/fields/form-fields.ts";
import { recordId } from "#shared/fields/ids.ts";
import { recordFilters } from "#shared/fields/list-filters.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText, postalCode, writtenPhone } from "#shared/fields/text.ts";
import { uploadOf } from "#shared/files/file-field.ts";
import { Upload } from "#shared/files/upload.ts";
import { LEAD_WARNINGS, MENDED, type Mend, mendedBy } from "./mend.ts";
import { lead, submission } from "./record.ts";
import { hasDigits } from "./usable-phone.ts";

const MOST_NAMES = 50;
const MOST_METADATA_BYTES = 8 * 1024;
const BUDGET = 9_999_999_999.99;

const line = (max: number) => cleanText({ max }).nullish();
const metadata = z.record(z.string(), z.unknown()).refine(fitsMetadata, {
  params: { code: "too_big" },
  error: `must have at most ${MOST_NAMES} names and 8 KiB`,
});

/** Whether these names and values are not too many to keep. */
export function fitsMetadata(values: Record<string, unknown>): boolean {
  const { length } = new TextEncoder().encode(JSON.stringify(values));
  return Object.keys(values).length <= MOST_NAMES && length <= MOST_METADATA_BYTES;
}

const fields = {
  external_id: externalIdMember.describe(
    "Your own id of the lead. One of a submission that is added to an open lead stands beside the first.",
  ),
  name: line(255).meta({ description: "The full name. Or send `first_name` and `last_name`." }),
  first_name: line(255),
  last_name: line(255),
  email: emailOf(255).nullish().meta({ description: "An e-mail address or a phone number is required." }),
  phone: writtenPhone({ max: 30 }).nullish(),
  company_name: line(255),
  job_title: line(120),
  subject: line(255),
  message: cleanMultilineText({ max: 5_000 }).nullish(),
  source: line(100).meta({ description: "The `slug` of a lead source. Default: `website`." }),
  website: line(500),
  city: line(100),
  state: line(100),
  country: line(60).describe("Two letters or a name."),
  pincode: postalCode({ max: 20 }).nullish(),
  product_interest: line(255),
  budget: z
    .union([money({ max: BUDGET }), decimalText({ max: BUDGET, places: 2 })])
    .nullish()
    .describe("What the visitor means to spend: a number, or its digits as text, such as ₹1,00,000."),
  page_url: line(2_000).describe("The page that the form stood on."),
  referrer: line(2_000).describe("The page that led there."),
  utm_source: line(255),
  utm_medium: line(255),
  utm_campaign: line(255),
  utm_term: line(255),
  utm_content: line(255),
  consent: z
    .union([z.boolean(), booleanText])
    .nullish()
    .describe("Whether the visitor agreed to be written to."),
  consent_text: cleanMultilineText({ max: 1_000 })
    .nullish()
    .describe("What the visitor agreed to, word for word."),
  metadata: z
    .union([metadata, jsonText(metadata)])
    .nullish()
    .meta({ description: "Your own names and values. In a form, send JSON." }),
  attachment: uploadOf("pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx").nullish(),
  turnstile_token: z.string().max(2_048).nullish().meta({
    description: "Required if the company has set a Turnstile secret.",
  }),
  _hp: z.string().nullish().describe("A hidden field that people do not see. Only bots fill it in."),
  _elapsed_ms: z
    .union([
      z.number(),
      decimalText({ max: 1e12, places: 3 }).transform((thousandths) => thousandths / 1_000),
    ])
    .nullish()
    .describe("How long the visitor took to fill in the form. A person needs at least three seconds."),
  [MENDED]: z.array(z.custom<Mend>()).optional().meta({ "x-hidden": true }),
};

export const LEAD_FIELDS: ReadonlySet<string> = new Set(Object.keys(fields));

/** Fields of forms vary: what is not known here is kept under `metadata`. */
const knownFields = z.looseObject(fields).superRefine((form, context) => {
  const refuse = (path: string[], code: string, message: string) =>
    context.addIssue({ code: "custom", params: { code }, message, path });
  const named = Boolean(form.name || (form.first_name && form.last_name));
  const reachable = Boolean(form.email) || hasDigits(form.phone);
  if (!named && !reachable)
    refuse([], "required", "must have a name (or first_name and last_name), and an email or a phone");
  else if (!named) refuse(["name"], "required", "is required, or first_name and last_name");
  else if (!reachable) refuse(["email"], "required", "is required, or a phone");
  for (const [name, value] of Object.entries(form))
    if (name !== "attachment" && [value].flat().some((one) => one instanceof Upload))
      refuse([name], "unknown_file", "must be sent as attachment");
});
export const LeadForm = z.preprocess(mendedBy(fields), knownFields);

export const CapturedLead = z
  .object({
    id: z.int(),
    lead_number: z.string(),
    status: z.literal("new"),
    duplicate: z.boolean().meta({ description: "Whether the submission was added to an open lead." }),
    submission_count: z.int(),
    created_at: z.string(),
    warnings: z
      .array(z.object({ field: z.string().describe("As it was sent."), code: z.enum(LEAD_WARNINGS) }))
      .optional()
      .describe(
        "What was not taken as sent: `cut` to the field's length, `kept_in_metadata` of the submission under its name, `not_kept`, or `no_phone_number`: kept as sent, and matched with no person. Absent where there is none.",
      ),
  })
  .meta({ id: "CapturedLead" });

export const SubmissionParams = z.object({ id: recordId, submission_id: recordId });
export const LeadQuery = z.object({
  status: z.enum(["new", "converted", "lost"]).optional(),
  source: cleanText({ min: 1, max: 50 }).optional().meta({ description: "The `slug` of a lead source." }),
  ...recordFilters,
});
export const LeadClose = z.object({ status: z.enum(["converted", "lost"]) });

export const LeadWithSubmissions = lead.schema
  .extend({
    submissions: z
      .array(submission.schema)
      .describe("The newest 100. `/submissions` lists all. An equal submission right after is only counted."),
  })
  .meta({ id: "LeadWithSubmissions" });

export type LeadForm = z.infer<typeof LeadForm>;
export type SubmissionParams = z.infer<typeof SubmissionParams>;
export type LeadQuery = z.infer<typeof LeadQuery>;
export type LeadClose = z.infer<typeof LeadClose>;
