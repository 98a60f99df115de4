import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { CHANNELS } from "../messages/schema.ts";

/** The members of a kind of provider. */
export const config = z.record(z.string(), z.unknown());

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
  channel: z.enum(CHANNELS),
  kind: z.enum(["msg91", "exotel", "twilio", "meta", "resend", "postmark", "http"]),
});
export const ProviderPatch = patchOf(providerFields);
export const ProviderRotate = z.object({
  overlap_seconds: z
    .literal([0, 3_600, 86_400, 604_800])
    .meta({ description: "How long the old address still works: 0, 1 hour, 1 day or 7 days." }),
});

export type ProviderCreate = z.output<typeof ProviderCreate>;
export type ProviderPatch = z.output<typeof ProviderPatch>;
export type ProviderRotate = z.output<typeof ProviderRotate>;
