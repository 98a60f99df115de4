import * as z from "zod";
import { emailAddress } from "#shared/email-address.ts";
import { recordId } from "#shared/ids.ts";
import { patchOf } from "#shared/patch.ts";
import { cleanText, textAsSent } from "#shared/text.ts";

const timestamp = z.string().meta({ format: "date-time" });
const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));
const channel = z.enum(["sms", "chatapp", "email"]);
const config = z.record(z.string(), z.unknown());

export const RecordParams = z.object({ id: recordId });
export const DeletedRecord = z.object({ id: z.string(), deleted: z.literal(true) });

const providerFields = z.object({
  config: config.meta({
    type: "object",
    description:
      "By kind. `msg91`: auth_key, country?, route_name?. `exotel`: account_sid, api_key, api_token, region? (mumbai, singapore). `twilio`: account_sid, auth_token, from? or messaging_service_sid?. SMS `http`: url, token?. Every SMS kind: default_sender_id?, pe_id?. `meta`: phone_number_id, access_token, app_secret?, api_version?. `resend`: api_key, webhook_secret?. `postmark`: server_token, message_stream?. E-mail `http`: url, token?. Every e-mail kind: from_email, from_name?, reply_to?.",
  }),
  is_active: z.boolean(),
  is_default: z
    .boolean()
    .meta({ description: "The one that sends; by default the first active one of its channel." }),
});
export const ProviderCreate = providerFields.partial({ is_active: true, is_default: true }).extend({
  channel,
  kind: z.enum(["msg91", "exotel", "twilio", "meta", "resend", "postmark", "http"]),
});
export const ProviderPatch = patchOf(providerFields);
export const Provider = z
  .object({
    id: z.string(),
    channel,
    kind: z.string(),
    config: config.meta({
      description: "Of a secret only `configured` and its `last_four`.",
      examples: [{ default_sender_id: "DEMOTR", auth_key: { configured: true, last_four: "c9f1" } }],
    }),
    is_active: z.boolean(),
    is_default: z.boolean(),
    status: z.enum(["active", "paused", "inactive"]).meta({
      description:
        "`paused`: it refused its credentials (`last_error`). What it was to send waits, for a day at most, until its `config` is changed or `is_active` is sent as true.",
    }),
    paused_at: timestamp.nullable(),
    callback_url: z.string().meta({
      description:
        "Where the provider tells of delivery. Whole only in the answer that made or rotated it: enter it in the provider's settings, and keep it secret. Reads show the last four characters of its token.",
    }),
    last_error: z
      .object({ code: z.string(), message: z.string(), provider_code: z.string().nullable(), at: timestamp })
      .nullable()
      .meta({ description: "Set while the provider refuses its credentials." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "MessagingProvider" });

export const ProviderRotate = z.object({
  overlap_seconds: z
    .literal([0, 3_600, 86_400, 604_800])
    .meta({ description: "How long the old address still works: 0, 1 hour, 1 day or 7 days." }),
});

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

export const OptoutCreate = z.object({
  channel: z.enum(["sms", "chatapp"]),
  address: z
    .string()
    .max(40, "must have at most 40 characters")
    .regex(/^ *\+?(?:[ ().-]*\d){8,15}[ ().-]*$/, "must be 8 to 15 digits")
    .meta({
      description:
        "A number with `+` or `00`, or as it is dialled in the company's country. Matched whole, in E.164; by its last 9 digits where it cannot be told.",
    }),
});
export const Optout = z
  .object({
    id: z.string(),
    channel: z.enum(["sms", "chatapp"]),
    address: z.string().meta({ description: "The digits as they were given." }),
    e164: z
      .string()
      .nullable()
      .meta({ description: "The whole number that messages are matched by; null where it cannot be told." }),
    source: z.enum(["manual", "inbound"]).meta({ description: "`inbound`: the person wrote STOP." }),
    created_at: timestamp,
  })
  .meta({ id: "Optout" });

export const SuppressionCreate = z.object({
  email: emailAddress,
  reason: z.enum(["manual", "unsubscribe"]).default("manual"),
  expires_at: instant.nullable().optional().meta({ description: "Until when; by default for good." }),
});
export const Suppression = z
  .object({
    id: z.string(),
    email: z.string().meta({ description: "In lower case." }),
    reason: z.enum(["hard_bounce", "complaint", "manual", "unsubscribe"]),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Suppression" });

export type RecordParams = z.output<typeof RecordParams>;
export type ProviderCreate = z.output<typeof ProviderCreate>;
export type ProviderPatch = z.output<typeof ProviderPatch>;
export type ProviderRotate = z.output<typeof ProviderRotate>;
export type SmsTemplateCreate = z.output<typeof SmsTemplateCreate>;
export type SmsTemplatePatch = z.output<typeof SmsTemplatePatch>;
export type OptoutCreate = z.output<typeof OptoutCreate>;
export type SuppressionCreate = z.output<typeof SuppressionCreate>;
