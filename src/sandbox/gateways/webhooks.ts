import { setTimeout as sleep } from "node:timers/promises";
import type { Faults } from "./faults.ts";
import type { Kind, Merchant, Merchants } from "./merchants.ts";
import type { Delivery, Order, Orders } from "./orders.ts";
import type { UnacceptedEvents } from "./unaccepted-events.ts";
import type { Event } from "./webhook-event.ts";

/** The headers of one attempt to deliver an event. */
export type Sign = (merchant: Merchant, event: Event) => Record<string, string>;

type Options = {
  /** The Worker's address; the path of the company's webhook follows. */
  workerOrigin: string;
  merchants: Merchants;
  orders: Orders;
  faults: Faults;
  unaccepted: UnacceptedEvents;
  signers: Record<Kind, Sign>;
  /** Pauses before the second attempt, the third and so on, in milliseconds; after the last it is given up. */
  retryDelays?: number[];
  /** How late a late webhook is. */
  lateMs: number;
};

const RETRY_DELAYS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];
// After a start, the Worker may take longer to be up.
const AFTER_A_START = [30_000, 60_000];
const ANSWER_MS = 10_000;

/** Delivers the gateways' webhooks: once more after each answer that is not 2xx. */
export class Webhooks {
  readonly #options: Options;
  readonly #pending = new Map<string, Set<Promise<void>>>();
  readonly #stopped = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Starts the delivery of events that belong together: one first attempt after the other, retries aside. */
  send(order: Order, events: Event[]): void {
    const { faults, unaccepted } = this.#options;
    const sent = events.filter(() => !faults.strikes(order.account, "lost_event"));
    unaccepted.add(order, sent);
    this.#start(order, sent);
  }

  /** Sends again what was not accepted before the stand-ins ended, as their gateways do. */
  sendAgain(): void {
    const { orders, unaccepted } = this.#options;
    for (const { kind, orderId, events } of unaccepted.due()) {
      const order = orders.find(kind, orderId);
      if (order !== undefined) this.#start(order, events, AFTER_A_START);
    }
  }

  #start(order: Order, events: Event[], more: number[] = []): void {
    const pending = this.#pending.get(order.id) ?? new Set();
    this.#pending.set(order.id, pending);
    const sent = this.#sendAll(order, events, more)
      .catch((error) => {
        if (!this.#stopped.signal.aborted) console.error(error);
      })
      .finally(() => pending.delete(sent));
    pending.add(sent);
  }

  /** Resolves when all webhooks of an order are delivered or given up, those that came meanwhile too. */
  async delivered({ id }: Order): Promise<void> {
    for (let pending = this.#pending.get(id); pending !== undefined && pending.size > 0; ) {
      await Promise.all(pending);
      pending = this.#pending.get(id);
    }
    this.#pending.delete(id);
  }

  stop(): void {
    this.#stopped.abort();
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #sendAll(order: Order, events: Event[], more: number[]): Promise<void> {
    const { faults, lateMs } = this.#options;
    const strikes = (fault: Parameters<Faults["strikes"]>[1]) => faults.strikes(order.account, fault);
    if (strikes("late_event")) await sleep(lateMs, undefined, { signal: this.#stopped.signal });
    const group = events.flatMap((event) => (strikes("duplicate") ? [[event, event]] : [[event]]));
    if (strikes("reordered")) group.reverse();
    const waves = strikes("together") ? [group.flat()] : group;
    const retries: Promise<void>[] = [];
    for (const wave of waves) {
      const deliveries = wave.map((event) => this.#begin(order, event, more));
      const done = await Promise.all(deliveries.map((delivery) => delivery.attempt()));
      retries.push(...deliveries.filter((_, index) => !done[index]).map((delivery) => delivery.retry()));
    }
    await Promise.all(retries);
  }

  #begin(order: Order, event: Event, more: number[]) {
    const { orders, faults, unaccepted, retryDelays = RETRY_DELAYS } = this.#options;
    const delivery: Delivery = { event: event.type, event_id: event.id, delivered: false, statuses: [] };
    order.webhooks.push(delivery);
    const attempt = async (): Promise<boolean> => {
      const status = await this.#post(order, event);
      const lost = status === null || faults.strikes(order.account, "lost_answer");
      delivery.statuses.push(lost ? null : status);
      delivery.delivered = !lost && status >= 200 && status < 300;
      if (delivery.delivered) unaccepted.accept(event);
      orders.save();
      return delivery.delivered;
    };
    const retry = async (): Promise<void> => {
      for (const delay of [...retryDelays, ...more]) {
        await sleep(delay, undefined, { signal: this.#stopped.signal });
        if (await attempt()) return;
      }
    };
    return { attempt, retry };
  }

  async #post(order: Order, event: Event): Promise<number | null> {
    const { workerOrigin, merchants, signers } = this.#options;
    try {
      const merchant = merchants.get(order.account);
      const { company, kind, webhook_url } = merchant;
      const url = webhook_url ?? `${workerOrigin}/api/v1/storefront/${company}/webhook/${kind}`;
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...signers[kind](merchant, event) },
        body: event.body,
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}
