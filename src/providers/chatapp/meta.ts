import * as z from "zod";
import type { Services } from "#core/services.ts";
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
    .regex(/^v\d{1,3}\.\d$/, "must be a version such as v26.0")
    .default("v26.0"),
});
export type MetaConfig = z.infer<typeof config>;

// Limits of calls and messages (4, 80007, 130429) and a service that is down (2, 131016, 133004), each with
// "try again": https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
const RETRIED = new Set(["2", "4", "80007", "130429", "131016", "133004"]);
// Too many to this one number: "You can still send messages to a different phone number without waiting."
const OF_RECIPIENT = "131056";
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

  send: (services, account, message) =>
    ask(
      {
        ...requestTo(services, account, "/messages"),
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

/** Asks for the number, which Meta shows to its account's token alone: .../whatsapp/reference/whatsapp-business-phone-number */
export function askForNumber(services: Services, account: MetaConfig): Promise<SendResult> {
  return ask(requestTo(services, account, "?fields=display_phone_number"), ({ status, json }) =>
    status < 300 && wordAt(json, "id") !== account.phone_number_id ? undefined : read(status, json),
  );
}

function requestTo(services: Services, account: MetaConfig, path: string) {
  const url = `${services.addressOf("meta", "https://graph.facebook.com")}/${account.api_version}/${account.phone_number_id}${path}`;
  return { url, headers: { Authorization: `Bearer ${account.access_token}` } };
}

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
  if (code === OF_RECIPIENT) return { kind: "busy", retryAfter: 0, isOfRecipient: true };
  if (RETRIED.has(code)) return { kind: "busy", retryAfter: 0 };
  if (status >= 500 || status === 429) return undefined;
  const details = wordAt(json, "error", "error_data", "details");
  return refused(chatappReason(code), details || wordAt(json, "error", "message"), code);
}
