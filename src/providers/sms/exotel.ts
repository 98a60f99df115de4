import * as z from "zod";
import { failedLater, failure, inboundText, refused } from "#providers/delivery";
import { needsUnicode } from "#shared/contact/sms-alphabet.ts";
import { identifier, registration, secret } from "../account-fields.ts";
import { fieldsOf } from "../callback-fields.ts";
import { wordAt } from "../json.ts";
import { ask, basic } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import type { Sms } from "./content.ts";
import { delivered, notEnded, reasonOf, undelivered } from "./reasons.ts";

const config = z.object({
  account_sid: identifier.regex(/^[\w-]+$/, "must be an account's name"),
  api_key: identifier,
  api_token: secret,
  region: z.enum(["singapore", "mumbai"]).default("mumbai"),
  ...registration,
});
type Config = z.infer<typeof config>;

const HOSTS = { singapore: "https://api.exotel.com", mumbai: "https://api.in.exotel.com" };
const TYPES = { transactional: "transactional", promotional: "promotional" };

export const exotel: ProviderKind<Config, Sms> = {
  config,
  secrets: ["api_token"],
  deduplicates: false,

  send: (services, { account_sid, api_key, api_token, region }, sms) => {
    const base = services.addressOf("exotel", HOSTS[region]);
    const body = new URLSearchParams({
      From: sms.senderId ?? "",
      To: sms.to,
      Body: sms.text,
      // https://developer.exotel.com/api/sms#send-sms: `plain` by default
      EncodingType: needsUnicode(sms.text) ? "unicode" : "plain",
      SmsType: TYPES[sms.type],
      CustomField: sms.reference,
      ...(sms.templateId === null ? {} : { DltTemplateId: sms.templateId }),
      ...(sms.peId === null ? {} : { DltEntityId: sms.peId }),
      ...(sms.callbackUrl === null ? {} : { StatusCallback: sms.callbackUrl }),
    });
    const url = `${base}/v1/Accounts/${account_sid}/Sms/send.json`;
    return ask({ url, headers: { Authorization: basic(api_key, api_token) }, body }, ({ status, json }) => {
      const id = wordAt(json, "SMSMessage", "Sid");
      if (status < 300) return { kind: "accepted", id: id || null };
      const message = wordAt(json, "RestException", "Message");
      if (status !== 400 || message === "") return undefined;
      const code = /sender|from/i.test(message) ? "sender_not_approved" : "invalid_recipient";
      return refused(
        /\bto\b|number|sender|from/i.test(message) ? code : "provider_rejected",
        message,
        status,
      );
    });
  },

  receive: async (callback) => {
    const fields = fieldsOf(callback);
    const id = wordAt(fields, "SmsSid");
    const reference = wordAt(fields, "CustomField") || null;
    const status = wordAt(fields, "Status").toLowerCase();
    const words = wordAt(fields, "DetailedStatus");
    // `sent` waits for the handset, unless its details say more: https://developer.exotel.com/docs/sms-support/sms-status-codes
    const arrived =
      words === "DELIVERED_TO_HANDSET" || (status === "delivered" && words !== "DELIVERED_TO_OPERATOR");
    // As https://support.exotel.com/support/solutions/articles/45270 has it; its `Date` names no time zone.
    const from = wordAt(fields, "From");
    if (id !== "" && wordAt(fields, "Status") === "" && from !== "")
      return {
        inbound: [inboundText(from, wordAt(fields, "Body"), { id, to: wordAt(fields, "To") || null })],
      };
    if (id === "") return { unread: "form" };
    if (arrived) return { receipts: [delivered(id, reference)] };
    const code = wordAt(fields, "DetailedStatusCode");
    if (status === "expired") {
      const reason = failure("expired", "The carrier did not reach the phone in time", code);
      return { receipts: [failedLater("failed", { provider_message_id: id, reference }, reason)] };
    }
    if (!/^failed|^rejected|^undelivered/.test(status)) return notEnded(status);
    const told = status === "failed_dnd" ? `DND ${words}` : words;
    return { receipts: [undelivered(id, reference, reasonOf(code, told))] };
  },
};
