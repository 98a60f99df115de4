type EventType = { resource: string; description: string; onDemand?: true };

/**
 * Every type of event. Triggers of the records' own tables write them: `migrations/company/0029_events.sql`. Those on
 * demand are recorded only while somebody asks for them.
 */
export const EVENT_TYPES = {
  "customer.created": { resource: "customer", description: "A customer was made, by any way." },
  "customer.updated": {
    resource: "customer",
    description: "Something that reads show of a customer changed.",
  },
  "customer.deleted": {
    resource: "customer",
    description: "A customer was deleted, or is a vendor only now.",
  },
  "product.created": { resource: "product", description: "A product was made." },
  "product.updated": {
    resource: "product",
    description: "Something of a product changed, other than its stock.",
  },
  "stock.adjusted": { resource: "product", description: "Stock was adjusted by hand." },
  "stock.low": {
    resource: "product",
    description: "A product's stock fell to its low_stock_threshold or below.",
  },
  "stock.moved": { resource: "product", description: "Stock moved for any reason.", onDemand: true },
  "invoice.created": { resource: "invoice", description: "An invoice was made." },
  "invoice.sent": { resource: "invoice", description: "An invoice was sent for the first time." },
  "invoice.voided": { resource: "invoice", description: "An invoice was voided." },
  "invoice.paid": { resource: "invoice", description: "Nothing is due on an invoice any more." },
  "invoice.partly_paid": { resource: "invoice", description: "A part of an unpaid invoice was paid." },
  "invoice.reopened": { resource: "invoice", description: "Something is due again on a paid invoice." },
  "invoice.overdue": {
    resource: "invoice",
    description: "An invoice is overdue; told in the first hours of the day after its due_date.",
  },
  "payment.recorded": { resource: "payment", description: "A payment was recorded." },
  "payment.refunded": {
    resource: "payment",
    description: "A payment was taken back, or went with its invoice.",
  },
  "order.created": { resource: "order", description: "A shop's checkout made an order." },
  "order.paid": { resource: "order", description: "An order was paid, and invoiced." },
  "order.cancelled": { resource: "order", description: "An order was cancelled." },
  "order.review_needed": { resource: "order", description: "Somebody has to look at an order." },
  "order.refund_needed": { resource: "order", description: "Money of an order is owed back." },
  "booking.held": { resource: "booking", description: "A slot is held for an online payment." },
  "booking.requested": { resource: "booking", description: "A booking waits for the school." },
  "booking.confirmed": { resource: "booking", description: "A booking is confirmed." },
  "booking.moved": { resource: "booking", description: "A booking has another time or instructor." },
  "booking.cancelled": { resource: "booking", description: "A booking was cancelled." },
  "booking.expired": {
    resource: "booking",
    description: "A booking was not paid in time; told up to a minute later than reads say so.",
  },
  "booking.completed": { resource: "booking", description: "A lesson was given." },
  "booking.no_show": { resource: "booking", description: "A learner did not come." },
  "booking.paid": { resource: "booking", description: "A booking that stood unpaid was paid." },
  "booking.refund_due": { resource: "booking", description: "Money of a booking is owed back." },
  "booking.refunded": { resource: "booking", description: "Money of a booking was given back." },
  "booking.review_needed": { resource: "booking", description: "Somebody has to look at a booking." },
  "package.granted": { resource: "package", description: "A customer has prepaid lessons." },
  "package.updated": { resource: "package", description: "A package's sessions, expiry or name changed." },
  "package.cancelled": { resource: "package", description: "Prepaid lessons were taken back, or deleted." },
  "message.status_changed": {
    resource: "message",
    description: "A message has another status.",
    onDemand: true,
  },
  "message.failed": { resource: "message", description: "A message failed or was rejected." },
  "message.received": { resource: "inbound_message", description: "Somebody wrote to the company." },
  "contact.opted_out": { resource: "optout", description: "A number does not want to be written to." },
  "contact.opted_in": { resource: "optout", description: "A number may be written to again." },
  "person.erased": { resource: "erasure", description: "A person was erased; it does not tell who." },
  "provider.unhealthy": { resource: "provider", description: "A message provider fails, and is paused." },
  "lead.captured": { resource: "lead", description: "A new lead came." },
  "lead.repeated": { resource: "lead", description: "A known lead wrote again." },
  "lead.closed": { resource: "lead", description: "A lead was converted or lost." },
  "application.received": { resource: "application", description: "Somebody applied for a job." },
  "application.moved": { resource: "application", description: "An application has another status." },
  "job.opened": { resource: "job", description: "A job is published and open." },
  "job.closed": {
    resource: "job",
    description:
      "A job is not published or not open any more, or was deleted; the passing of closes_at is not told.",
  },
  "work_item.created": { resource: "work_item", description: "A work item was made." },
  "work_item.updated": {
    resource: "work_item",
    description: "Something of a work item changed, other than its state.",
  },
  "work_item.transitioned": { resource: "work_item", description: "A work item has another state." },
  "work_item.commented": {
    resource: "comment",
    description: "A comment came into a work item's public thread.",
  },
  "sprint.started": { resource: "sprint", description: "A sprint was started." },
  "sprint.completed": { resource: "sprint", description: "A sprint was completed." },
  "milestone.changed": { resource: "milestone", description: "A milestone has another status." },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;
/** The names of all types. */
export const TYPE_NAMES = Object.keys(EVENT_TYPES) as EventTypeName[];

/** The types that a word of a filter means: itself, or all that begin with `booking.` for `booking.*`; none if unknown. */
export function typesMeant(word: string): EventTypeName[] {
  const isGroup = word.endsWith(".*");
  return TYPE_NAMES.filter((name) => (isGroup ? name.startsWith(word.slice(0, -1)) : name === word));
}
