import * as z from "zod";
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
});
export type EmailSaid = z.output<typeof EmailContent>;
/** One e-mail to one recipient; `to` is the plain address. */
export type Email = Addressed & { toName: string | null; unsubscribeUrl: string | null } & Omit<
    EmailSaid,
    "unsubscribeAt"
  >;

/**
 * The headers of an e-mail that its recipient may unsubscribe from with one click:
 * https://www.rfc-editor.org/rfc/rfc8058#section-3.1. They have to be under the signature of whoever sends it.
 */
export function unsubscribeHeaders({ unsubscribeUrl }: Email): Record<string, string> | undefined {
  if (unsubscribeUrl === null) return undefined;
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** The plain address of a mailbox, whether it has a display name or none. */
export function addressIn(mailbox: string): string {
  const [, address = mailbox] = /<([^<>]+)>\s*$/.exec(mailbox) ?? [];
  return address;
}

/** An address with its display name, as mail headers have it. */
export function mailbox(email: string, name: string | null | undefined): string {
  return name == null || name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}
