import type { PlatformMail, Services } from "#platform/services.ts";
import { type Outcome, refused } from "#providers/delivery";
import { member, textMember } from "../call.ts";
import { postMail } from "./http.ts";
import { type Email, mailbox } from "./message.ts";

const TIMEOUT_MS = 10_000;
const RETRIED = /RATE_LIMIT|THROTTL|QUOTA|DAILY_LIMIT|INTERNAL|DELIVERY_FAILED/;
const RECIPIENT = /RECIPIENT/;

/** Who a platform e-mail speaks for. */
export type OnBehalfOf = { name: string; email: string | null };

/** Sends by the platform's own mailer: from its address, in the company's name, answers going to the company. */
export async function sendByPlatform(
  { mailer, messaging }: Services,
  company: OnBehalfOf,
  mail: Email,
): Promise<Outcome> {
  if (mailer === null) return refused("provider_rejected", "The platform has no mailer");
  const replyTo = company.email ?? undefined;
  if (mailer.binding === undefined)
    return postMail(messaging("mail", ""), undefined, mailbox(mailer.from, company.name), replyTo, mail);
  try {
    const message: PlatformMail = {
      to: mail.to,
      from: { email: mailer.from, name: company.name },
      ...(replyTo === undefined ? {} : { replyTo }),
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
    };
    const { promise, reject } = Promise.withResolvers<never>();
    AbortSignal.timeout(TIMEOUT_MS).addEventListener("abort", () => reject(new Error("no answer in time")));
    const sent = await Promise.race([mailer.binding.send(message), promise]);
    return { kind: "accepted", id: textMember(sent, "messageId") || null };
  } catch (error) {
    const code = textMember(error, "code");
    // Without a code nobody knows how far it came.
    if (code === "") return { kind: "unknown" };
    if (RETRIED.test(code)) return { kind: "busy", retryAfter: 0 };
    return refused(
      RECIPIENT.test(code) ? "invalid_recipient" : "provider_rejected",
      String(member(error, "message")),
      code,
    );
  }
}
