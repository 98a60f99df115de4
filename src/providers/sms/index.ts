import { exotel } from "./exotel.ts";
import { http } from "./http.ts";
import { msg91 } from "./msg91.ts";
import { twilio } from "./twilio.ts";

export { type Sms, SmsContent } from "./content.ts";

/** The kinds of SMS provider, by name. */
export const smsKinds = { msg91, exotel, twilio, http };
