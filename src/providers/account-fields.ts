import { emailAddress } from "#shared/contact/email-address.ts";
import { cleanText, secretText } from "#shared/fields/text.ts";

/** A secret of an account: seen in no read. */
export const secret = secretText({ min: 4, max: 500 });
export const identifier = cleanText({ min: 1, max: 100 });

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
