/** The kinds of what a person writes; `other` is whatever a provider has beside these. */
export const INBOUND_TYPES = [
  "text",
  "image",
  "audio",
  "video",
  "document",
  "sticker",
  "location",
  "contacts",
  "reaction",
  "button",
  "interactive",
  "other",
] as const;
export type InboundType = (typeof INBOUND_TYPES)[number];
