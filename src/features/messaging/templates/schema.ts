import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText, textAsSent } from "#shared/fields/text.ts";
import { timestamp } from "../schema.ts";

const templateFields = z.object({
  template_id: cleanText({ min: 1, max: 64 }).meta({ description: "As registered." }),
  text: textAsSent({ max: 2_000 }).meta({
    description: "Letter by letter as registered, with slots such as `{#var#}`.",
  }),
  sender_id: cleanText({ max: 11 }).nullable().meta({ description: "Used where a send gives none." }),
  pe_id: cleanText({ max: 64 }).nullable(),
});
export const SmsTemplateCreate = templateFields.partial({ sender_id: true, pe_id: true });
export const SmsTemplatePatch = patchOf(templateFields);
export const SmsTemplate = z
  .object({
    id: z.string(),
    template_id: z.string(),
    text: z.string(),
    sender_id: z.string().nullable(),
    pe_id: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SmsTemplate" });

export type SmsTemplateCreate = z.output<typeof SmsTemplateCreate>;
export type SmsTemplatePatch = z.output<typeof SmsTemplatePatch>;
