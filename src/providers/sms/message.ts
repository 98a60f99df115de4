import type { Addressed } from "../kind.ts";

/** One SMS to one number; blank fields were filled from the provider's configuration. */
export type Sms = Addressed & {
  text: string;
  senderId: string | null;
  templateId: string | null;
  peId: string | null;
  type: "transactional" | "promotional";
};
