import { eq } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { dateTime, idText } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText, textAsSent } from "#shared/fields/text.ts";
import { smsTemplates } from "#tables/messaging";

const sent = z.object({
  template_id: cleanText({ min: 1, max: 64 }).meta({ description: "The registered id." }),
  text: textAsSent({ max: 2_000 }).describe("Exactly as registered, with slots such as `{#var#}`."),
  sender_id: cleanText({ max: 11 }).nullable().meta({ description: "Used if a send has none." }),
  pe_id: cleanText({ max: 64 }).nullable().describe("The DLT principal entity."),
});
const create = sent.partial({ sender_id: true, pe_id: true });

const template = record(
  smsTemplates,
  {
    id: idText,
    template_id: z.string().describe("As registered for DLT."),
    text: z.string().describe("Exactly as registered, with its slots."),
    sender_id: z.string().nullable().describe("The approved sender; null for the provider's."),
    pe_id: z.string().nullable().describe("The DLT principal entity; null for the provider's."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "SmsTemplate",
);

export const templateRoutes = new Router("Settings: Messaging", "/sms-templates").collection({
  ids: { one: "SmsTemplate", list: "listSmsTemplates" },
  words: ["a registered SMS template", "the registered SMS templates"],
  record: template,
  create,
  patch: patchOf(sent),
  keepsTexts: true,
  verbs: collectionVerbs({
    record: template,
    create,
    made: (body) => eq(smsTemplates.templateId, body.template_id),
  }),
  problems: { create: ["conflict"], update: ["conflict"] },
  notes: {
    create: {
      description: "The API compares a send that names it with this text, and warns of a difference.",
    },
  },
});
