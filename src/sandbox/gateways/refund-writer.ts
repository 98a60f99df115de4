import type { Entity, Order } from "./orders.ts";
import type { Refund } from "./refunds.ts";
import type { Event } from "./webhook-event.ts";

/** How one gateway shows refunds and reports them. */
export type RefundWriter = {
  newId(source: Refund["source"]): string;
  /** What was captured of a payment, in minor units; 0 where nothing was. */
  captured(payment: Entity): number;
  /** Shows on an order and its payment what went back of it, newest first. */
  show(order: Order, payment: Entity, refunds: Refund[]): void;
  /** The webhooks of a refund that was made, or that ended later. */
  events(refund: Refund, payment: Entity, moment: "made" | "ended"): Event[];
};
