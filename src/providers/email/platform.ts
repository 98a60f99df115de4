import type { PlatformMail, Services } from "#core/services.ts";
import { type FailureCode, refused, type SendResult } from "#providers/delivery";
import { wordAt } from "../json.ts";
import { attachmentsOf, type Email, mailbox, unsubscribeHeaders } from "./content.ts";
import { postMail } from "./http.ts";

const TIMEOUT_MS = 10_000;
/**
 * The binding's refusals that end differently later, with the seconds to wait at least:
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
 */
const BUSY: Record<string, number> = {
  E_RATE_LIMIT_EXCEEDED: 0,
  E_DAILY_LIMIT_EXCEEDED: 3_600,
};
const SERVICE_FAULT = "E_INTERNAL_SERVER_ERROR";
const CODES: Record<string, FailureCode> = {
  // The account's own list, kept and aged by the service: no second one is kept here.
  E_RECIPIENT_SUPPRESSED: "suppressed",
  // What the recipient's server only deferred, the service has tried again itself.
  E_DELIVERY_FAILED: "unreachable",
  E_SENDER_NOT_VERIFIED: "sender_not_approved",
  E_SENDER_DOMAIN_NOT_AVAILABLE: "sender_not_approved",
};

/** The company that an e-mail of the operator's mailer speaks for. */
export type OnBehalfOf = { name: string; email: string | null };

/** Sends by the operator's own mailer: from its address, in the company's name, answers going to the company. */
export async function sendByPlatform(
  { mailer, addressOf }: Services,
  company: OnBehalfOf,
  mail: Email,
): Promise<SendResult> {
  if (mailer === null) return refused("provider_rejected", "The platform has no mailer");
  const replyTo = company.email ?? undefined;
  const name = mail.fromName ?? company.name;
  if (mailer.binding === undefined)
    return postMail(addressOf("mail", ""), undefined, mailbox(mailer.from, name), replyTo, mail);
  try {
    const headers = unsubscribeHeaders(mail);
    // https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#interface
    const attachments = attachmentsOf(mail, ({ name, type }, content) => ({
      filename: name,
      type,
      content,
      disposition: "attachment" as const,
    }));
    const message: PlatformMail = {
      to: mail.to,
      from: { email: mailer.from, name },
      ...(replyTo === undefined ? {} : { replyTo }),
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      ...(headers === undefined ? {} : { headers }),
      ...(attachments === undefined ? {} : { attachments }),
    };
    const { promise, reject } = Promise.withResolvers<never>();
    AbortSignal.timeout(TIMEOUT_MS).addEventListener("abort", () => reject(new Error("no answer in time")));
    const sent = await Promise.race([mailer.binding.send(message), promise]);
    return { kind: "accepted", id: wordAt(sent, "messageId") || null };
  } catch (error) {
    const code = wordAt(error, "code");
    // After an error without a code, or a fault of the service, the e-mail may be sent or not.
    if (!code.startsWith("E_") || code === SERVICE_FAULT) return { kind: "unknown", retryAfter: 0 };
    const retryAfter = BUSY[code];
    if (retryAfter !== undefined) return { kind: "busy", retryAfter };
    return refused(CODES[code] ?? "provider_rejected", wordAt(error, "message"), code);
  }
}
