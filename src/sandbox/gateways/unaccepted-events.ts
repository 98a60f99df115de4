import { readKept, writeKept } from "../data-folder/kept-file.ts";
import type { Kind } from "./merchants.ts";
import type { Order } from "./orders.ts";
import type { Event } from "./webhook-event.ts";

const DAY_MS = 86_400_000;

/**
 * How long a gateway sends an event again that was not accepted: Razorpay 24 hours (https://razorpay.com/docs/webhooks/faqs/),
 * Stripe three days (https://docs.stripe.com/webhooks), PayPal 25 times over three days (https://developer.paypal.com/api/rest/webhooks/).
 */
const SENT_AGAIN_MS: Record<Kind, number> = { razorpay: DAY_MS, stripe: 3 * DAY_MS, paypal: 3 * DAY_MS };

type Kept = { kind: Kind; order_id: string; event: Event; at: number };

/** The events that no answer accepted yet; a file, where one is given, keeps them between starts. */
export class UnacceptedEvents {
  readonly #events: Map<string, Kept>;
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    this.#events = new Map((readKept<Kept[]>(file) ?? []).map((kept) => [kept.event.id, kept]));
  }

  add({ kind, id }: Order, events: Event[]): void {
    if (events.length === 0) return;
    for (const event of events) this.#events.set(event.id, { kind, order_id: id, event, at: Date.now() });
    this.#save();
  }

  accept({ id }: Event): void {
    if (this.#events.delete(id)) this.#save();
  }

  /** Those that their gateway sends again, by their order; the others are dropped. */
  due(): { kind: Kind; orderId: string; events: Event[] }[] {
    for (const [id, { kind, at }] of this.#events)
      if (Date.now() - at >= SENT_AGAIN_MS[kind]) this.#events.delete(id);
    const byOrder = Map.groupBy(this.#events.values(), ({ order_id }) => order_id);
    return [...byOrder.entries()].flatMap(([orderId, kept]) =>
      kept.slice(0, 1).map(({ kind }) => ({ kind, orderId, events: kept.map(({ event }) => event) })),
    );
  }

  #save(): void {
    writeKept(this.#file, [...this.#events.values()]);
  }
}
