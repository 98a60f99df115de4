import * as z from "zod";
import { type FailureCode, refused, type SendResult } from "#providers/delivery";
import { isChatappUser } from "#shared/contact/chatapp-user.ts";
import { secret } from "../account-fields.ts";
import { wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import type { ChatappMessage } from "./content.ts";

const config = z.object({
  phone_number_id: z.string().regex(/^\d{5,20}$/, "must be the digits of a phone number's id"),
  access_token: secret,
  app_secret: secret.optional().meta({
    description:
      "Of an app of your own, that its callbacks are signed with; by default the platform's is tried.",
  }),
  api_version: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, "must be a version such as v23.0")
    .default("v23.0"),
});
export type MetaConfig = z.infer<typeof config>;

// Limits of calls and messages (4, 80007, 130429, 131056) and a service that is down (2, 131016, 133004), each with
// "try again": https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
const RETRIED = new Set(["2", "4", "80007", "130429", "131016", "131056", "133004"]);
const CODES: Record<string, FailureCode> = {
  0: "provider_auth",
  190: "provider_auth",
  131008: "template_params_mismatch",
  131026: "unreachable",
  131030: "invalid_recipient",
  131047: "outside_window",
  131049: "provider_rejected",
  131050: "not_opted_in",
  132000: "template_params_mismatch",
  132001: "template_not_found",
  132005: "template_params_mismatch",
  132007: "template_not_found",
  132012: "template_params_mismatch",
  132015: "template_not_found",
  132016: "template_not_found",
};

/** What an error code of the chat-app means to a client. */
export function chatappReason(code: string): FailureCode {
  return CODES[code] ?? "provider_rejected";
}

export const meta: ProviderKind<MetaConfig, ChatappMessage> = {
  config,
  secrets: ["access_token", "app_secret"],
  deduplicates: false,

  send: (services, { phone_number_id, access_token, api_version }, message) =>
    ask(
      {
        url: `${services.addressOf("meta", "https://graph.facebook.com")}/${api_version}/${phone_number_id}/messages`,
        headers: { Authorization: `Bearer ${access_token}` },
        body: {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          // https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
          [isChatappUser(message.to) ? "recipient" : "to"]: message.to,
          ...contentOf(message.content),
          biz_opaque_callback_data: message.reference,
        },
      },
      ({ status, json }) => read(status, json),
    ),
};

function contentOf(content: ChatappMessage["content"]): object {
  if (content.type === "text") return { type: "text", text: { body: content.text.body, preview_url: false } };
  const { name, language, variables } = content.template;
  const parameters = variables.map((text) => ({ type: "text", text }));
  const components = parameters.length === 0 ? {} : { components: [{ type: "body", parameters }] };
  return { type: "template", template: { name, language: { code: language }, ...components } };
}

function read(status: number, json: unknown): SendResult | undefined {
  if (status < 300) return { kind: "accepted", id: wordAt(json, "messages", 0, "id") || null };
  const code = wordAt(json, "error", "code");
  if (code === "") return undefined;
  if (RETRIED.has(code)) return { kind: "busy", retryAfter: 0 };
  if (status >= 500 || status === 429) return undefined;
  const details = wordAt(json, "error", "error_data", "details");
  return refused(chatappReason(code), details || wordAt(json, "error", "message"), code);
}
