import { TOTAL } from "./order.ts";

/** What a gateway does. PayPal reports of no refund that it fails late. */
const GATEWAYS = [
  { kind: "razorpay", failsLate: true },
  { kind: "stripe", failsLate: true },
  { kind: "paypal", failsLate: false },
] as const;

export type Capture = { id: number; gateway: number; total: number; currency: string };
export type Refund = { id: string; captureId: number; amount: number; state: RefundState; isOwn: boolean };
export type RefundState = "pending" | "succeeded" | "failed";
export type Report =
  | { capture: Capture; total: number }
  | { refund: Pick<Refund, "id" | "captureId" | "amount">; state: RefundState };

/** Gateways, each with a ledger of its own, and what they report. */
export class Gateways {
  /** The most that a payer bears of a gateway's fee. */
  readonly fee: number;
  readonly captures: Capture[] = [];
  readonly refunds: Refund[] = [];
  /** What they reported that has not come yet. */
  onTheWire: Report[] = [];

  constructor(fee = 200) {
    this.fee = fee;
  }

  pay(which: number, amount: number): void {
    const total = [TOTAL, TOTAL, TOTAL + this.fee, 1 + (amount % TOTAL)][which % 4] ?? TOTAL;
    const currency = which % 11 === 10 ? "USD" : "INR";
    const capture = { id: this.captures.length + 1, gateway: amount % 3, total, currency };
    this.captures.push(capture);
    this.onTheWire.push({ capture, total });
    if (which % 7 === 6) this.onTheWire.push({ capture, total });
  }

  /** A console refund or a chargeback, of no more than the gateway has. */
  giveBack(which: number, amount: number): void {
    const capture = this.captures[which % Math.max(1, this.captures.length)];
    if (capture === undefined) return;
    const left = this.left(capture);
    if (left === 0) return;
    const refund = this.made(capture.id, amount % 2 === 0 ? left : 1 + (amount % left), false);
    refund.state = amount % 3 === 0 ? "pending" : "succeeded";
    this.onTheWire.push({ refund, state: refund.state });
  }

  made(captureId: number, amount: number, isOwn: boolean): Refund {
    const refund: Refund = { id: `r${this.refunds.length + 1}`, captureId, amount, state: "pending", isOwn };
    this.refunds.push(refund);
    return refund;
  }

  left({ id, total }: Capture): number {
    const back = this.refunds.filter(({ captureId, state }) => captureId === id && state !== "failed");
    return back.reduce((left, { amount }) => left - amount, total);
  }

  /** A refund ends at its gateway, or a chargeback is reversed. */
  finish(which: number, amount: number): void {
    const refund = this.refunds[which % Math.max(1, this.refunds.length)];
    const { failsLate } =
      GATEWAYS[this.captures.find(({ id }) => id === refund?.captureId)?.gateway ?? 0] ?? GATEWAYS[0];
    if (refund === undefined || refund.state === "failed" || (refund.state === "succeeded" && !failsLate))
      return;
    refund.state = refund.state === "succeeded" || amount % 3 === 0 ? "failed" : "succeeded";
    this.onTheWire.push({ refund, state: refund.state });
  }
}
