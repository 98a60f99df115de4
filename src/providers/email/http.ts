import * as z from "zod";
import type { SendResult } from "#providers/delivery";
import { publicUrl } from "#shared/network/public-url.ts";
import { secret, sender } from "../account-fields.ts";
import { wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import { attachmentsOf, type Email, mailbox, unsubscribeHeaders } from "./content.ts";

const config = z.object({ url: publicUrl, token: secret.optional(), ...sender });
type Config = z.infer<typeof config>;

/** Any mailer that takes JSON, honours `Idempotency-Key`, and answers `{id}`. */
export const http: ProviderKind<Config, Email> = {
  config,
  secrets: ["token"],
  deduplicates: true,
  send: (services, { url, token, from_email, from_name, reply_to }, mail) =>
    postMail(
      services.addressOf("http-mail", url),
      token,
      mailbox(from_email, mail.fromName ?? from_name),
      reply_to,
      mail,
    ),
};

/** Posts one e-mail as JSON. */
export function postMail(
  url: string,
  token: string | undefined,
  from: string,
  replyTo: string | undefined,
  mail: Email,
): Promise<SendResult> {
  return ask(
    {
      url,
      headers: {
        "Idempotency-Key": mail.reference,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: {
        from,
        to: mailbox(mail.to, mail.toName),
        ...(replyTo === undefined ? {} : { reply_to: replyTo }),
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        attachments: attachmentsOf(mail, ({ name, type }, content) => ({
          filename: name,
          content,
          content_type: type,
        })),
        list_unsubscribe: unsubscribeHeaders(mail)?.["List-Unsubscribe"],
        list_unsubscribe_post: unsubscribeHeaders(mail)?.["List-Unsubscribe-Post"],
      },
    },
    ({ status, json }) => (status < 300 ? { kind: "accepted", id: wordAt(json, "id") || null } : undefined),
  );
}
