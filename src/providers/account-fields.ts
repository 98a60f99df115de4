import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { cleanText } from "#shared/fields/text.ts";
import { isPublicHost } from "#shared/network/public-host.ts";

/** A secret of an account: seen in no read. */
export const secret = cleanText({ min: 4, max: 500 });
export const identifier = cleanText({ min: 1, max: 100 });

/** A public https address: no port, no IP address, no name of a private network. */
export const publicUrl = z
  .string()
  .max(500)
  .refine(isPublic, {
    params: { code: "invalid_url" },
    error: "must be an https address on a public host",
  });

function isPublic(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "")
    return false;
  return isPublicHost(url.hostname);
}

/** Who an e-mail comes from. */
export const sender = {
  from_email: emailAddress,
  from_name: cleanText({ min: 1, max: 100 }).optional(),
  reply_to: emailAddress.optional(),
};

/** What an SMS is given where the call leaves it out: the operators' registry asks for them in India. */
export const registration = {
  default_sender_id: cleanText({ min: 1, max: 11 }).optional(),
  pe_id: cleanText({ min: 1, max: 64 }).optional(),
};
