/** The kinds of records that events report, as operations and triggers name them. */
export type ResourceName =
  | "customer"
  | "product"
  | "invoice"
  | "credit_note"
  | "payment"
  | "refund"
  | "order"
  | "erasure"
  | "booking"
  | "package"
  | "message"
  | "inbound_message"
  | "optout"
  | "provider"
  | "lead"
  | "application"
  | "job"
  | "work_item"
  | "comment"
  | "sprint"
  | "milestone";

/** The kinds of which a rule of notifications names an event. */
export const NOTICED: ReadonlySet<ResourceName> = new Set([
  "application",
  "booking",
  "credit_note",
  "lead",
  "order",
  "payment",
  "product",
  "provider",
  "refund",
]);
