import { KeptRecords } from "./kept-records.ts";
import type { Kind, Merchant } from "./merchants.ts";

/** An object of a gateway's API, as it answers it. */
export type Entity = Record<string, unknown>;

/** How a webhook fared; null stands for an attempt without an answer. */
export type Delivery = { event: string; event_id: string; delivered: boolean; statuses: (number | null)[] };

export const PAYER_ACTIONS = ["paid", "failed", "wrong_amount", "twice", "authorized"] as const;
/** What a payer does; `authorized` is Razorpay's payment that is still to be captured. */
export type PayerAction = (typeof PAYER_ACTIONS)[number];

export const NEXT_REFUNDS = ["succeeded", "pending", "failed"] as const;
/** What becomes of the next refund of a payment. */
export type NextRefund = (typeof NEXT_REFUNDS)[number];

/** An order, session or checkout of a gateway; amounts are minor units. */
export type Order = {
  kind: Kind;
  id: string;
  account: string;
  amount: number;
  currency: string;
  title: string;
  return_url: string | null;
  cancel_url: string | null;
  /** The idempotency key and the body it was made with. */
  request: { key: string; body: string } | null;
  state: "open" | "approved" | "paid" | "expired";
  /** What the payer did last. */
  outcome: PayerAction | null;
  /** The PayPal-Request-Id of its capture. */
  capture_key?: string | undefined;
  entity: Entity;
  payments: Entity[];
  /** By payment, what was chosen for its next refund. */
  next_refunds?: Record<string, NextRefund>;
  webhooks: Delivery[];
  created_at: number;
};

const KEPT_PAID = 500;
const KEPT_OPEN = 5_000;

/** All orders of the three gateways, in memory; a file, where one is given, keeps the newest, and far more of those that wait for their payer. */
export class Orders extends KeptRecords<Order> {
  find(kind: string, id: string): Order | undefined {
    const order = this.byId.get(id);
    return order?.kind === kind ? order : undefined;
  }

  /** An order that this account may see. */
  findOwn({ kind, account }: Merchant, id: string): Order | undefined {
    const order = this.find(kind, id);
    return order?.account === account ? order : undefined;
  }

  /** The order that an account made with an idempotency key. */
  findByKey({ account }: Merchant, key: string | undefined): Order | undefined {
    if (key === undefined) return undefined;
    return this.byId.values().find((order) => order.account === account && order.request?.key === key);
  }

  findByPayment({ account }: Pick<Merchant, "account">, id: string): Order | undefined {
    return this.byId
      .values()
      .find((order) => order.account === account && order.payments.some((payment) => payment.id === id));
  }

  /** The newest orders, newest first. */
  newest(count: number): Order[] {
    return [...this.byId.values()].slice(-count).reverse();
  }

  protected override kept(all: Order[]): Order[] {
    const isPaid = ({ state }: Order) => state === "paid";
    const kept = new Set([
      ...all.filter(isPaid).slice(-KEPT_PAID),
      ...all.filter((order) => !isPaid(order)).slice(-KEPT_OPEN),
    ]);
    return all.filter((order) => kept.has(order));
  }
}

/** Whether it cannot be paid any more. */
export function isOver({ state }: Order): boolean {
  return state === "paid" || state === "expired";
}

/** An order that is not paid yet. */
export function openOrder(
  merchant: Merchant,
  order: Pick<Order, "id" | "amount" | "currency" | "title" | "entity"> & Partial<Order>,
): Order {
  return {
    kind: merchant.kind,
    account: merchant.account,
    return_url: null,
    cancel_url: null,
    request: null,
    state: "open",
    outcome: null,
    payments: [],
    webhooks: [],
    created_at: Date.now(),
    ...order,
  };
}

/** What a payer pays who pays another amount than asked: the smallest unit less. */
export function wrongAmount({ amount }: Order): number {
  return amount > 1 ? amount - 1 : amount + 1;
}
