import * as z from "zod";
import { base64 } from "../message-request.ts";
import type { Addressed } from "../provider-kind.ts";

/** What an e-mail says, as it is stored until it is sent. */
export const EmailContent = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Of marketing, where its recipients unsubscribe: each at a token of their own below this address. */
  unsubscribeAt: z.string().nullable().default(null),
  /** In place of the provider's own. */
  fromName: z.string().nullable().default(null),
  /** The booking whose calendar file it carries, which is made when it is sent; of an instructor's copy, whose. */
  calendarOf: z.object({ booking: z.string(), instructor: z.int().nullable() }).nullable().default(null),
});
export type EmailSaid = z.output<typeof EmailContent>;
export type Attachment = { name: string; type: string; text: string };
/** One e-mail to one recipient; `to` is the plain address. */
export type Email = Addressed & {
  toName: string | null;
  unsubscribeUrl: string | null;
  attachments: readonly Attachment[];
} & Omit<EmailSaid, "unsubscribeAt" | "calendarOf">;

/**
 * The headers of an e-mail that its recipient may unsubscribe from with one click:
 * https://www.rfc-editor.org/rfc/rfc8058#section-3.1. The sender's signature has to cover them.
 */
export function unsubscribeHeaders({ unsubscribeUrl }: Email): Record<string, string> | undefined {
  if (unsubscribeUrl === null) return undefined;
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** What an e-mail carries, each in the form that a mailer takes; undefined for nothing. */
export function attachmentsOf<Form>(
  { attachments }: Email,
  form: (attachment: Attachment, base64: string) => Form,
): Form[] | undefined {
  if (attachments.length === 0) return undefined;
  return attachments.map((one) => form(one, base64(one.text)));
}

/** The plain address of a mailbox, whether it has a display name or none. */
export function addressIn(mailbox: string): string {
  return /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
}

/** An address with its display name, as mail headers have it. */
export function mailbox(email: string, name: string | null | undefined): string {
  return name == null || name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}
