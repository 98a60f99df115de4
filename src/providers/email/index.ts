import { http } from "./http.ts";
import { postmark } from "./postmark.ts";
import { resend } from "./resend.ts";

export { type Attachment, type Email, EmailContent, type EmailSaid } from "./content.ts";
export { sendByPlatform } from "./platform.ts";

/** The kinds of e-mail provider that a company can have, by name. */
export const emailKinds = { resend, postmark, http };
