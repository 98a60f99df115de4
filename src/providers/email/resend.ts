import * as z from "zod";
import type { Callback } from "#api/operations/callback.ts";
import { decode, verifies } from "#core/secrets/signatures.ts";
import { type FailureCode, failedLater, failure, type Received, refused } from "#providers/delivery";
import { secret, sender } from "../account-fields.ts";
import { jsonOf } from "../callback-fields.ts";
import { wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import { addressIn, attachmentsOf, type Email, mailbox, unsubscribeHeaders } from "./content.ts";

const config = z.object({
  api_key: secret,
  webhook_secret: secret
    .regex(/^whsec_/, "must begin with whsec_")
    .optional()
    .meta({ description: "Of the webhook that reports bounces; with it, unsigned calls are refused." }),
  ...sender,
});
type Config = z.infer<typeof config>;

const TOLERANCE_S = 300;
// Types that say nothing of a failure: https://resend.com/docs/webhooks/event-types
const IGNORED =
  /^(?:email\.(?:sent|scheduled|delivered|delivery_delayed|opened|clicked|received)|(?:contact|domain|suppression|inbox)\..+)$/;

export const resend: ProviderKind<Config, Email> = {
  config,
  secrets: ["api_key", "webhook_secret"],
  deduplicates: true,

  send: (services, { api_key, from_email, from_name, reply_to }, mail) =>
    ask(
      {
        url: `${services.addressOf("resend", "https://api.resend.com")}/emails`,
        headers: { Authorization: `Bearer ${api_key}`, "Idempotency-Key": mail.reference },
        body: {
          from: mailbox(from_email, mail.fromName ?? from_name),
          to: [mailbox(mail.to, mail.toName)],
          ...(reply_to === undefined ? {} : { reply_to }),
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          // Custom headers and attachments: https://resend.com/docs/api-reference/emails/send-email
          headers: unsubscribeHeaders(mail),
          attachments: attachmentsOf(mail, ({ name, type }, content) => ({
            filename: name,
            content,
            content_type: type,
          })),
        },
      },
      ({ status, json }) => {
        if (status < 300) return { kind: "accepted", id: wordAt(json, "id") || null };
        const name = wordAt(json, "name");
        // The first call under this key still runs there: https://resend.com/docs/api-reference/errors
        if (name === "concurrent_idempotent_requests") return { kind: "busy", retryAfter: 0 };
        // It has taken the e-mail before, with a file that is another by now.
        if (name === "invalid_idempotent_request") return { kind: "accepted", id: null };
        const message = wordAt(json, "message");
        // The sender's domain is not verified: https://resend.com/docs/api-reference/errors
        if (status === 403 && name === "validation_error")
          return refused("sender_not_approved", message, name);
        if (status !== 422) return undefined;
        return refused(/`to`/.test(message) ? "invalid_recipient" : "provider_rejected", message, name);
      },
    ),

  receive: async (callback, { webhook_secret }) => {
    if (webhook_secret !== undefined && !(await isSigned(callback, webhook_secret))) return undefined;
    const event = jsonOf(callback);
    const type = wordAt(event, "type");
    const email = addressIn(wordAt(event, "data", "to", 0) || wordAt(event, "data", "to"));
    if (IGNORED.test(type)) return {};
    if (type === "" || email === "")
      return { unread: type.startsWith("email.") || type === "" ? "form" : "type" };
    return reportOf(type, email, event);
  },
};

/** What an event says of an e-mail that was taken: https://resend.com/docs/webhooks/event-types */
function reportOf(type: string, email: string, event: unknown): Received {
  const named = { provider_message_id: wordAt(event, "data", "email_id") || null, reference: null };
  const said = (code: FailureCode, part: string, word: string, otherwise: string) =>
    failure(code, wordAt(event, "data", part, "message") || otherwise, wordAt(event, "data", part, word));
  const suppressions = [{ email, reason: "hard_bounce" as const }];
  if (type === "email.complained") return { suppressions: [{ email, reason: "complaint" }] };
  if (type === "email.bounced" && wordAt(event, "data", "bounce", "type") === "Permanent") {
    const reason = said("invalid_recipient", "bounce", "subType", "The address does not exist");
    return { receipts: [failedLater("failed", named, reason)], suppressions };
  }
  if (type === "email.bounced") {
    const reason = said("unreachable", "bounce", "subType", "The mailbox took no mail");
    return { receipts: [failedLater("sent", named, reason)] };
  }
  // Resend's own list has the address: it bounced or complained before.
  if (type === "email.suppressed") {
    const reason = said("suppressed", "suppressed", "type", "The address is on the provider's list");
    return { receipts: [failedLater("failed", named, reason)], suppressions };
  }
  if (type !== "email.failed") return { unread: "type" };
  const reason = said("provider_rejected", "failed", "reason", "The provider did not send it");
  return { receipts: [failedLater("failed", named, reason)] };
}

/** Standard Webhooks: signed are the id, the time and the body; several signatures stand side by side while a secret is changed. */
async function isSigned({ headers, body, receivedAt }: Callback, secret: string): Promise<boolean> {
  const id = headers.get("svix-id") ?? "";
  const time = headers.get("svix-timestamp") ?? "";
  const key = decode(secret.slice("whsec_".length), "base64");
  if (key === undefined || !(Math.abs(receivedAt / 1_000 - Number(time)) <= TOLERANCE_S)) return false;
  for (const given of (headers.get("svix-signature") ?? "").split(" ")) {
    const [version, signature = ""] = given.split(",");
    if (
      version === "v1" &&
      (await verifies("SHA-256", key, decode(signature, "base64"), `${id}.${time}.`, body))
    )
      return true;
  }
  return false;
}
