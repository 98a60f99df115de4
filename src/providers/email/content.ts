import * as z from "zod";
import type { Addressed } from "../provider-kind.ts";

/** What an e-mail says, as it is stored until it is sent. */
export const EmailContent = z.object({ subject: z.string(), html: z.string(), text: z.string() });
/** One e-mail to one recipient; `to` is the plain address. */
export type Email = Addressed & { toName: string | null } & z.output<typeof EmailContent>;

/** The plain address of a mailbox, whether it has a display name or none. */
export function addressIn(mailbox: string): string {
  const [, address = mailbox] = /<([^<>]+)>\s*$/.exec(mailbox) ?? [];
  return address;
}

/** An address with its display name, as mail headers have it. */
export function mailbox(email: string, name: string | null | undefined): string {
  return name == null || name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}
