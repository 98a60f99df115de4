import { likelyWord } from "#shared/text/nearest-word.ts";

type EventType = { resource: string; description: string; onDemand?: true };

/**
 * Every type of event. Triggers of the records' own tables write them: `migrations/company/21_event_triggers.sql`. Those on
 * demand are recorded only while an endpoint asks for them.
 */
export const EVENT_TYPES = {
  "customer.created": { resource: "customer", description: "A customer was created, in any way." },
  "customer.updated": {
    resource: "customer",
    description: "A field that reads show of a customer changed.",
  },
  "customer.deleted": {
    resource: "customer",
    description: "A customer was deleted, or is now only a vendor.",
  },
  "product.created": { resource: "product", description: "A product was created." },
  "product.updated": {
    resource: "product",
    description: "A field of a product changed, other than its stock.",
  },
  "stock.adjusted": { resource: "product", description: "Stock was adjusted by hand." },
  "stock.low": {
    resource: "product",
    description: "A product's stock fell to its low_stock_threshold or below.",
  },
  "stock.moved": { resource: "product", description: "Stock moved for any reason.", onDemand: true },
  "invoice.created": { resource: "invoice", description: "An invoice was created." },
  "invoice.sent": { resource: "invoice", description: "An invoice was sent for the first time." },
  "invoice.voided": { resource: "invoice", description: "An invoice was voided." },
  "invoice.paid": {
    resource: "invoice",
    description: "Money paid what was due of an invoice. A due that credit ended is in `invoice.credited`.",
  },
  "invoice.credited": {
    resource: "invoice",
    description: "A credit note took off what was due of an invoice, or all of it.",
  },
  "invoice.partly_paid": { resource: "invoice", description: "A part of an unpaid invoice was paid." },
  "invoice.reopened": { resource: "invoice", description: "A paid invoice has an amount due again." },
  "invoice.overdue": {
    resource: "invoice",
    description: "An invoice is overdue. Recorded in the first hours of the day after its due_date.",
  },
  "credit_note.created": { resource: "credit_note", description: "A credit note was issued." },
  "credit_note.voided": { resource: "credit_note", description: "A credit note was voided." },
  "payment.recorded": { resource: "payment", description: "A payment was recorded." },
  "payment.refunded": {
    resource: "payment",
    description: "A payment was refunded, or was removed with its invoice.",
  },
  "refund.created": {
    resource: "refund",
    description: "A refund through a gateway was asked for, or was reported by the gateway.",
  },
  "refund.succeeded": { resource: "refund", description: "A refund went back to the payer." },
  "refund.failed": {
    resource: "refund",
    description: "A refund failed, perhaps after it had succeeded. Its money is owed again.",
  },
  "order.created": { resource: "order", description: "A shop's checkout created an order." },
  "order.paid": { resource: "order", description: "An order was paid, and invoiced." },
  "order.cancelled": { resource: "order", description: "An order was cancelled." },
  "order.review_needed": { resource: "order", description: "Staff must review an order." },
  "order.refund_needed": { resource: "order", description: "Money of an order must be refunded." },
  "order.refunded": {
    resource: "order",
    description: "All that came for an order went back through its gateway.",
  },
  "booking.held": {
    resource: "booking",
    description: "A slot is held for an online payment, or for a confirmation by e-mail.",
  },
  "booking.requested": { resource: "booking", description: "A booking waits for the school." },
  "booking.confirmed": { resource: "booking", description: "A booking is confirmed." },
  "booking.moved": { resource: "booking", description: "A booking has a new time or instructor." },
  "booking.cancelled": { resource: "booking", description: "A booking was cancelled." },
  "booking.expired": {
    resource: "booking",
    description: "A booking was not paid in time. Recorded up to a minute after reads show it.",
  },
  "booking.completed": { resource: "booking", description: "A lesson was given." },
  "booking.no_show": { resource: "booking", description: "A learner did not come." },
  "booking.paid": {
    resource: "booking",
    description: "A booking was paid, or was created as paid elsewhere.",
  },
  "booking.refund_due": { resource: "booking", description: "Money of a booking must be refunded." },
  "booking.refunded": { resource: "booking", description: "Money of a booking was refunded." },
  "booking.partly_refunded": {
    resource: "booking",
    description: "A part of a booking's money went back through its gateway, and the booking stays paid.",
  },
  "booking.review_needed": { resource: "booking", description: "Staff must review a booking." },
  "package.granted": { resource: "package", description: "A customer got prepaid lessons." },
  "package.updated": { resource: "package", description: "A package's sessions, expiry or name changed." },
  "package.cancelled": { resource: "package", description: "Prepaid lessons were cancelled or deleted." },
  "message.status_changed": {
    resource: "message",
    description: "A message has a new status.",
    onDemand: true,
  },
  "message.failed": { resource: "message", description: "A message failed or was rejected." },
  "message.received": { resource: "inbound_message", description: "A person wrote to the company." },
  "contact.opted_out": { resource: "optout", description: "A number opted out of messages." },
  "contact.opted_in": { resource: "optout", description: "A number opted in to messages again." },
  "person.erased": { resource: "erasure", description: "A person was erased. The event does not say who." },
  "provider.unhealthy": { resource: "provider", description: "A message provider fails and is paused." },
  "lead.captured": { resource: "lead", description: "A new lead was captured." },
  "lead.repeated": { resource: "lead", description: "A submission was added to an open lead." },
  "lead.closed": { resource: "lead", description: "A lead was converted or lost." },
  "application.received": { resource: "application", description: "A person applied for a job." },
  "application.moved": { resource: "application", description: "An application has a new status." },
  "job.opened": { resource: "job", description: "A job is published and open." },
  "job.closed": {
    resource: "job",
    description:
      "A job is no longer published or open, or was deleted. No event is recorded when closes_at passes.",
  },
  "work_item.created": { resource: "work_item", description: "A work item was created." },
  "work_item.updated": {
    resource: "work_item",
    description: "A field of a work item changed, other than its state.",
  },
  "work_item.transitioned": { resource: "work_item", description: "A work item has a new state." },
  "work_item.commented": {
    resource: "comment",
    description: "A public comment was added to a work item.",
  },
  "sprint.started": { resource: "sprint", description: "A sprint was started." },
  "sprint.completed": { resource: "sprint", description: "A sprint was completed." },
  "milestone.changed": { resource: "milestone", description: "A milestone has a new status." },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;
/** The names of all types. */
export const TYPE_NAMES = Object.keys(EVENT_TYPES) as EventTypeName[];

/** The end of a refusal of a word that means no types: the type or group that is most like it, where one is. */
export function nearestType(word: string): string {
  const groups = new Set(TYPE_NAMES.map((name) => name.replace(/[^.]*$/, "*")));
  const meant = likelyWord(word, [...TYPE_NAMES, ...groups]);
  return meant === undefined ? "" : `: the nearest is ${meant}`;
}

/** The types that a word of a filter means: itself, or all that begin with `booking.` for `booking.*`; none if unknown. */
export function typesMeant(word: string): EventTypeName[] {
  const isGroup = word.endsWith(".*");
  return TYPE_NAMES.filter((name) => (isGroup ? name.startsWith(word.slice(0, -1)) : name === word));
}
