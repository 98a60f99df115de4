import * as z from "zod";
import type { Addressed } from "../provider-kind.ts";

/** What an SMS says, as it is stored until it is sent; blank fields were filled from the provider's configuration. */
export const SmsContent = z.object({
  text: z.string(),
  senderId: z.string().nullable(),
  templateId: z.string().nullable(),
  peId: z.string().nullable(),
  type: z.enum(["transactional", "promotional"]),
});
/** One SMS to one number. */
export type Sms = Addressed & z.output<typeof SmsContent>;
