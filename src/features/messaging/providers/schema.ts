import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { CHANNELS } from "../messages/schema.ts";
import { timestamp } from "../schema.ts";

const channel = z.enum(CHANNELS);
const config = z.record(z.string(), z.unknown());

const providerFields = z.object({
  config: config.meta({
    type: "object",
    description:
      "By kind. `msg91`: auth_key, country?, route_name?. `exotel`: account_sid, api_key, api_token, region? (mumbai, singapore). `twilio`: account_sid, auth_token, from? or messaging_service_sid?. SMS `http`: url, token?. Every SMS kind: default_sender_id?, pe_id?. `meta`: phone_number_id, access_token, app_secret?, api_version?. `resend`: api_key, webhook_secret?. `postmark`: server_token, message_stream?. E-mail `http`: url, token?. Every e-mail kind: from_email, from_name?, reply_to?.",
  }),
  is_active: z.boolean(),
  is_default: z.boolean().meta({
    description: "Whether it is the provider that sends. Default: the first active one of the channel sends.",
  }),
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
      description: "For a secret, only `configured` and its `last_four`.",
      examples: [{ default_sender_id: "DEMOTR", auth_key: { configured: true, last_four: "c9f1" } }],
    }),
    is_active: z.boolean(),
    is_default: z.boolean(),
    status: z.enum(["active", "paused", "inactive"]).meta({
      description:
        "`paused`: the provider refused its credentials (`last_error`). Its messages wait, at most a day, until you change `config` or send `is_active` as true.",
    }),
    paused_at: timestamp.nullable(),
    callback_url: z.string().meta({
      description:
        "The address that the provider sends delivery reports to. Only the answer that creates or rotates it has the whole address. Enter it in the provider's settings, and keep it secret. Reads show the last four characters of its token.",
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

export type ProviderCreate = z.output<typeof ProviderCreate>;
export type ProviderPatch = z.output<typeof ProviderPatch>;
export type ProviderRotate = z.output<typeof ProviderRotate>;
