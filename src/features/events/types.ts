import type { ResourceName } from "#shared/resource-names.ts";
import { likelyWord } from "#shared/text/nearest-word.ts";

type EventType = { resource: ResourceName; description: string; onDemand?: true };

/**
 * What each type of event says. Triggers of the records' own tables write them: `migrations/company/21_event_triggers.sql`.
 */
const DESCRIPTIONS = {
  "customer.created": "A customer was created, in any way.",
  "customer.updated": "A field that reads show of a customer changed.",
  "customer.deleted": "A customer was deleted, or is now only a vendor.",
  "product.created": "A product was created.",
  "product.updated": "A field of a product changed, other than its stock.",
  "stock.adjusted": "Stock was adjusted by hand.",
  "stock.low": "A product's stock fell to its low_stock_threshold or below.",
  "stock.moved": "Stock moved for any reason.",
  "invoice.created": "An invoice was created.",
  "invoice.sent": "An invoice was sent for the first time.",
  "invoice.voided": "An invoice was voided.",
  "invoice.paid": "Money paid what was due of an invoice. A due that credit ended is in `invoice.credited`.",
  "invoice.credited": "A credit note took off what was due of an invoice, or all of it.",
  "invoice.partly_paid": "A part of an unpaid invoice was paid.",
  "invoice.reopened": "A paid invoice has an amount due again.",
  "invoice.overdue": "An invoice is overdue. Recorded in the first hours of the day after its due_date.",
  "credit_note.created": "A credit note was issued.",
  "credit_note.voided": "A credit note was voided.",
  "payment.recorded": "A payment was recorded.",
  "payment.refunded": "A payment was refunded, or was removed with its invoice.",
  "refund.created": "A refund through a gateway was asked for, or was reported by the gateway.",
  "refund.succeeded": "A refund went back to the payer.",
  "refund.failed": "A refund failed, perhaps after it had succeeded. Its money is owed again.",
  "order.created": "A shop's checkout created an order.",
  "order.paid": "An order was paid, and invoiced.",
  "order.cancelled": "An order was cancelled.",
  "order.review_needed": "Staff must review an order.",
  "order.refund_needed": "Money of an order must be refunded.",
  "order.refunded": "All that came for an order went back through its gateway.",
  "booking.held": "A slot is held for an online payment, or for a confirmation by e-mail.",
  "booking.requested": "A booking waits for the school.",
  "booking.confirmed": "A booking is confirmed.",
  "booking.moved": "A booking has a new time or instructor.",
  "booking.cancelled": "A booking was cancelled.",
  "booking.expired": "A booking was not paid in time. Recorded up to a minute after reads show it.",
  "booking.completed": "A lesson was given.",
  "booking.no_show": "A learner did not come.",
  "booking.paid": "A booking was paid, or was created as paid elsewhere.",
  "booking.unpaid": "The payment of a booking was taken back: it was recorded by mistake.",
  "booking.refund_due": "Money of a booking must be refunded.",
  "booking.refunded": "Money of a booking was refunded.",
  "booking.partly_refunded":
    "A part of a booking's money went back through its gateway, and the booking stays paid.",
  "booking.review_needed": "Staff must review a booking.",
  "package.granted": "A customer got prepaid lessons.",
  "package.updated": "A package's sessions, expiry or name changed.",
  "package.cancelled": "Prepaid lessons were cancelled or deleted.",
  "message.status_changed": "A message has a new status.",
  "message.failed": "A message failed or was rejected.",
  "message.received": "A person wrote to the company.",
  "contact.opted_out": "A number opted out of messages.",
  "contact.opted_in": "A number opted in to messages again.",
  "person.erased": "A person was erased. The event does not say who.",
  "provider.unhealthy": "A message provider fails and is paused.",
  "lead.captured": "A new lead was captured.",
  "lead.repeated": "A submission was added to an open lead.",
  "lead.closed": "A lead was converted or lost.",
  "application.received": "A person applied for a job.",
  "application.moved": "An application has a new status.",
  "job.opened": "A job is published and open.",
  "job.closed":
    "A job is no longer published or open, or was deleted. No event is recorded when closes_at passes.",
  "work_item.created": "A work item was created.",
  "work_item.updated": "A field of a work item changed, other than its state.",
  "work_item.transitioned": "A work item has a new state.",
  "work_item.commented": "A public comment was added to a work item.",
  "sprint.started": "A sprint was started.",
  "sprint.completed": "A sprint was completed.",
  "milestone.changed": "A milestone has a new status.",
};

export type EventTypeName = keyof typeof DESCRIPTIONS;
/** The names of all types. */
export const TYPE_NAMES = Object.keys(DESCRIPTIONS) as EventTypeName[];

/** The kind of record that a type is about, where its name does not begin with it. */
const RESOURCES: Partial<Record<EventTypeName, ResourceName>> = {
  "stock.adjusted": "product",
  "stock.low": "product",
  "stock.moved": "product",
  "message.received": "inbound_message",
  "contact.opted_out": "optout",
  "contact.opted_in": "optout",
  "person.erased": "erasure",
  "work_item.commented": "comment",
};

/** Types that are recorded only while an endpoint asks for them. */
const ON_DEMAND: readonly EventTypeName[] = ["stock.moved", "message.status_changed"];

/** Every type of event. */
export const EVENT_TYPES = Object.fromEntries(TYPE_NAMES.map((name) => [name, eventType(name)])) as Record<
  EventTypeName,
  EventType
>;

function eventType(name: EventTypeName): EventType {
  const resource = RESOURCES[name] ?? (name.slice(0, name.indexOf(".")) as ResourceName);
  const described = { resource, description: DESCRIPTIONS[name] };
  return ON_DEMAND.includes(name) ? { ...described, onDemand: true } : described;
}

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
