import { KeptRecords } from "./kept-records.ts";
import type { Kind, Merchant } from "./merchants.ts";
import type { Entity } from "./orders.ts";

/** Money of one payment that went back, or that the payer's bank took; amounts are minor units. */
export type Refund = {
  kind: Kind;
  account: string;
  id: string;
  order_id: string;
  payment_id: string;
  amount: number;
  currency: string;
  /** The idempotency key that it was asked for with, if any. */
  key: string | null;
  /** `console`: a person at the gateway's own pages; `auto`: the gateway itself, of a payment that was never captured. */
  source: "api" | "console" | "auto" | "chargeback";
  /** `reversed`: a chargeback whose money came again. */
  state: "pending" | "succeeded" | "failed" | "reversed";
  /** What the request brought to be shown with it. */
  sent: Entity;
  created_at: number;
  /** When it fails, after it had succeeded. */
  fails_at?: number;
};

/** Whether a refund's money is gone, or on its way. */
export function isOut({ state }: Refund): boolean {
  return state === "pending" || state === "succeeded";
}

/** Whether the payer's bank took the money. */
export function isChargeback({ source }: Refund): boolean {
  return source === "chargeback";
}

/** What refunds come to together. */
export function sumOf(refunds: Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** The gateways' own ledger of money that went back; a file, where one is given, keeps it between starts. */
export class Refunds extends KeptRecords<Refund> {
  find(id: string): Refund | undefined {
    return this.byId.get(id);
  }

  /** A refund that this account may see. */
  findOwn({ account }: Merchant, id: string): Refund | undefined {
    const refund = this.byId.get(id);
    return refund?.account === account ? refund : undefined;
  }

  /** All of an account, oldest first. */
  of(account: string): Refund[] {
    return [...this.byId.values()].filter((refund) => refund.account === account);
  }

  /** Those that are to fail late. */
  failingLate(): Refund[] {
    return [...this.byId.values()].filter(({ fails_at }) => fails_at !== undefined);
  }

  /** All of a payment, newest first. */
  ofPayment(payment: unknown): Refund[] {
    return [...this.byId.values()].filter(({ payment_id }) => payment_id === payment).reverse();
  }

  /** What of a payment is gone. */
  sumOf(payment: unknown): number {
    return sumOf(this.ofPayment(payment).filter(isOut));
  }
}
