import * as z from "zod";
import { type FailureCode, failedLater, failure, refused, type Suppression } from "#providers/delivery";
import { identifier, secret, sender } from "../account-fields.ts";
import { jsonOf } from "../callback-fields.ts";
import { at, wordAt } from "../json.ts";
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

/**
 * What a bounce means: https://postmarkapp.com/developer/api/bounce-api#bounce-types. An answering machine or a delay
 * is none.
 */
const BOUNCES: Record<string, FailureCode> = {
  HardBounce: "invalid_recipient",
  BadEmailAddress: "invalid_recipient",
  ManuallyDeactivated: "suppressed",
  SoftBounce: "unreachable",
  DnsError: "unreachable",
  Unknown: "unreachable",
  Blocked: "provider_rejected",
  DMARCPolicy: "sender_not_approved",
  SpamNotification: "provider_rejected",
  VirusNotification: "provider_rejected",
  SMTPApiError: "provider_rejected",
};
const NO_FAILURES: ReadonlySet<string> = new Set([
  ...["Transient", "AutoResponder", "AddressChange", "Subscribe", "Unsubscribe", "OpenRelayTest"],
  ...["ChallengeVerification", "Unconfirmed", "InboundError", "TemplateRenderingFailed"],
]);
const IGNORED: ReadonlySet<string> = new Set(["Delivery", "Open", "Click", "Inbound"]);
const ENDS: ReadonlySet<FailureCode> = new Set(["invalid_recipient", "suppressed"]);

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
    const record = wordAt(event, "RecordType");
    const email = wordAt(event, record === "SubscriptionChange" ? "Recipient" : "Email");
    if (IGNORED.has(record)) return {};
    if (record === "" || email === "") return { unread: "form" };
    if (record === "SpamComplaint") return { suppressions: [{ email, reason: "complaint" }] };
    if (record === "SubscriptionChange")
      return at(event, "SuppressSending") === true
        ? { suppressions: [{ email, reason: suppressedFor(event) }] }
        : {};
    const code = BOUNCES[wordAt(event, "Type")];
    if (record === "Bounce" && NO_FAILURES.has(wordAt(event, "Type"))) return {};
    if (record !== "Bounce" || code === undefined) return { unread: "type" };
    const told = wordAt(event, "Description") || "The mailbox took no mail";
    const named = {
      provider_message_id: wordAt(event, "MessageID") || null,
      reference: wordAt(event, "Metadata", "reference") || null,
    };
    const isEnd = ENDS.has(code);
    const reason = failure(code, told, wordAt(event, "TypeCode"));
    return {
      receipts: [failedLater(isEnd ? "failed" : "sent", named, reason)],
      suppressions:
        isEnd || at(event, "Inactive") === true
          ? [{ email, reason: code === "suppressed" ? "manual" : "hard_bounce" }]
          : [],
    };
  },
};

/** https://postmarkapp.com/developer/webhooks/subscription-change-webhook */
function suppressedFor(event: unknown): Suppression["reason"] {
  const reason = wordAt(event, "SuppressionReason");
  if (reason === "HardBounce") return "hard_bounce";
  if (reason === "SpamComplaint") return "complaint";
  return wordAt(event, "Origin") === "Recipient" ? "unsubscribe" : "manual";
}

function headersOf(mail: Email): { Name: string; Value: string }[] | undefined {
  const headers = unsubscribeHeaders(mail);
  return headers && Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));
}
