import type { Addressed } from "../kind.ts";

/** One e-mail to one recipient; `to` is the plain address. */
export type Email = Addressed & { toName: string | null; subject: string; html: string; text: string };

/** An address with its display name, as mail headers have it. */
export function mailbox(email: string, name: string | null | undefined): string {
  return name == null || name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}
