import * as z from "zod";
import { failure, refused } from "#providers/delivery";
import { identifier, secret, sender } from "../account-fields.ts";
import { jsonOf } from "../callback-fields.ts";
import { wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import { attachmentsOf, type Email, mailbox, unsubscribeHeaders } from "./content.ts";

const config = z.object({
  server_token: secret,
  message_stream: identifier.default("outbound"),
  ...sender,
});
type Config = z.infer<typeof config>;

// "Maintenance: the Postmark API is offline": https://postmarkapp.com/developer/api/overview#error-codes
const MAINTENANCE = "100";
const INACTIVE_RECIPIENT = "406";
const INVALID_REQUEST = "300";
const SENDER_CODES = new Set(["400", "401"]);

export const postmark: ProviderKind<Config, Email> = {
  config,
  secrets: ["server_token"],
  deduplicates: false,

  send: (services, { server_token, message_stream, from_email, from_name, reply_to }, mail) =>
    ask(
      {
        url: `${services.addressOf("postmark", "https://api.postmarkapp.com")}/email`,
        headers: { "X-Postmark-Server-Token": server_token },
        body: {
          From: mailbox(from_email, mail.fromName ?? from_name),
          To: mailbox(mail.to, mail.toName),
          ...(reply_to === undefined ? {} : { ReplyTo: reply_to }),
          Subject: mail.subject,
          HtmlBody: mail.html,
          TextBody: mail.text,
          // https://postmarkapp.com/developer/api/email-api
          Headers: headersOf(mail),
          // https://postmarkapp.com/support/article/1101-how-do-i-send-calendar-invites-with-postmark
          Attachments: attachmentsOf(mail, ({ name, type }, content) => ({
            Name: name,
            Content: content,
            ContentType: type,
          })),
          MessageStream: message_stream,
          Metadata: { reference: mail.reference },
        },
      },
      ({ status, json }) => {
        const code = wordAt(json, "ErrorCode");
        const message = wordAt(json, "Message");
        if (status < 300 && code === "0") return { kind: "accepted", id: wordAt(json, "MessageID") || null };
        if (status >= 400 && code === MAINTENANCE) return { kind: "busy", retryAfter: 0 };
        if (status !== 422) return undefined;
        if (code === INACTIVE_RECIPIENT) return refused("suppressed", message, code);
        if (SENDER_CODES.has(code)) return refused("sender_not_approved", message, code);
        const recipient = code === INVALID_REQUEST && /'To'/.test(message);
        return refused(recipient ? "invalid_recipient" : "provider_rejected", message, code);
      },
    ),

  receive: async (callback) => {
    const event = jsonOf(callback);
    const email = wordAt(event, "Email");
    const record = wordAt(event, "RecordType");
    if (email === "") return {};
    if (record === "SpamComplaint") return { suppressions: [{ email, reason: "complaint" }] };
    if (record !== "Bounce" || wordAt(event, "Type") !== "HardBounce") return {};
    const receipt = {
      provider_message_id: wordAt(event, "MessageID") || null,
      reference: wordAt(event, "Metadata", "reference") || null,
      status: "failed" as const,
      at: null,
      failure: failure(
        "invalid_recipient",
        wordAt(event, "Description") || "The address does not exist",
        wordAt(event, "TypeCode"),
      ),
    };
    return { receipts: [receipt], suppressions: [{ email, reason: "hard_bounce" }] };
  },
};

function headersOf(mail: Email): { Name: string; Value: string }[] | undefined {
  const headers = unsubscribeHeaders(mail);
  return headers && Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));
}
