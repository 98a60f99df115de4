import { MINUTE_MS } from "#shared/time/durations.ts";
import { textAt } from "../json.ts";
import type { Forms } from "./event-form.ts";

/** A company's account at a gateway, its credentials open. `address`: where the gateway's interface is, without a slash. */
export type GatewayAccount = {
  mode: "test" | "live";
  credentials: Readonly<Record<string, string>>;
  address: string;
};

/** What is to be paid, in minor units: hundredths, for all our currencies have two decimals. */
export type Payable = {
  /** The payment intent's own name, a ULID: the same for every attempt to open it, and in every event of it. */
  reference: string;
  company: string;
  companyName: string;
  kind: "order" | "booking" | "invoice";
  /** What the company's staff find it by at the gateway, and what the payer reads there. */
  receipt: string;
  description: string;
  amount: number;
  currency: string;
  returnUrl: string;
  cancelUrl: string;
  /** A digest of the two, which the gateway gives back where its page leads there. */
  returnsTo: string;
  customer: { name: string | null; email: string | null; phone: string | null };
};

/** A payable as the gateway knows it; `paymentUrl` where its payer is sent to a page of the gateway. */
type GatewayOrder = { gatewayOrderId: string; paymentUrl: string | null };
type PaymentData = Record<string, string | number | null | Record<string, string | null>>;
export type OpenedPayment = GatewayOrder & { paymentData: PaymentData };

/** What the gateway was given to recognise a payable by, where its order id is not known here yet. */
export type Reference = { company: string; kind: string; reference: string };

/**
 * What an event says of one payable. `failed`: an attempt to pay it, and others may follow; `closed`: none can any more;
 * `capture`: the payer agreed, the money is still to be taken. `amount` is what was taken; with `orMore` the gateway may
 * have added a fee of its own to it.
 */
export type GatewayReport = {
  type: string;
  state: "paid" | "failed" | "closed" | "capture" | "ignored";
  gatewayOrderId: string | null;
  gatewayPaymentId: string | null;
  amount: number | null;
  orMore: boolean;
  currency: string | null;
  /** What the gateway keeps of it, in minor units, where it says so. */
  fee: number | null;
  /** How the payer paid, in the gateway's word. */
  method: string | null;
  reference: Reference | null;
  returnsTo: string | null;
};

/**
 * Money to give back of one payment, in minor units. `key` names the refund at the gateway, for every attempt; every
 * attempt brings the same order, for a gateway refuses a key that comes with another body.
 */
export type RefundOrder = {
  key: string;
  company: string;
  gatewayPaymentId: string;
  gatewayOrderId: string | null;
  amount: number;
  currency: string;
  isDuplicate: boolean;
  /** Asked of Razorpay alone. */
  isInstant: boolean;
};

/** What a gateway says of money that went back. `key`: ours, where it carries it. A chargeback is taken by the payer's bank. */
export type RefundReport = {
  type: string;
  kind: "refund" | "chargeback" | "chargeback_reversed";
  gatewayRefundId: string;
  gatewayPaymentId: string | null;
  key: string | null;
  amount: number;
  currency: string;
  state: "pending" | "succeeded" | "failed";
  failureCode: string | null;
};

/** An event as it came, verified. `id` names it among its gateway's events; beside `refunds` the report is an ignored one. */
export type GatewayEvent = {
  id: string;
  occurredAt: number | null;
  report: GatewayReport;
  refunds: readonly RefundReport[];
};

const YOUNG_MS = MINUTE_MS;

/** Whether an event happened just now, so that what it names may not be known yet, here or at its gateway. */
export function isYoung(occurredAt: number | null, { receivedAt }: Pick<Delivery, "receivedAt">): boolean {
  return occurredAt !== null && receivedAt - occurredAt < YOUNG_MS;
}

/** What a gateway delivered, and when by the real clock, in epoch milliseconds. */
export type Delivery = { headers: Headers; body: Uint8Array<ArrayBuffer>; receivedAt: number };

/** One kind of payment gateway. Every method throws GatewayError when the gateway refuses or does not answer. */
export type Gateway = {
  /** Where its interface for real money is, and the one for trials. */
  addresses: Record<GatewayAccount["mode"], string>;
  /** The currencies it takes unless an account says otherwise. */
  currencies: readonly string[];
  /** The names of the credentials that an account needs. */
  credentials: readonly string[];
  /** Whether its events are signed with a secret of the account's own. */
  hasWebhookSecret: boolean;
  /** What a payer needs to pay what was opened, now or at an earlier press. */
  paymentData(account: GatewayAccount, payable: Payable, opened: GatewayOrder): PaymentData;
  /** Opens a payable at the gateway. */
  open(account: GatewayAccount, payable: Payable): Promise<GatewayOrder>;
  /** Whether the gateway sent this, judged by its raw bytes; `secrets` are what it may have signed with. */
  verify(account: GatewayAccount, secrets: readonly string[], delivery: Delivery): Promise<boolean>;
  /** What its events say, by the gateway's own word of their type, which `typeOf` finds. */
  forms: Forms;
  typeOf(event: unknown): string;
  /** Reads a verified event; what it only names is asked for. */
  read(account: GatewayAccount, event: unknown, delivery: Delivery): Promise<GatewayEvent>;
  /** Takes the money that a payer agreed to; `ignored` while the gateway is still at it. */
  capture(account: GatewayAccount, intent: OpenIntent, agreed: GatewayReport): Promise<GatewayReport>;
  /** Asks what became of a payable: of each payment of it that took money, else of the one that is furthest. */
  look(account: GatewayAccount, intent: OpenIntent): Promise<GatewayReport[]>;
  /** Ends what is not paid, by its id there, where the gateway has a call for it. Throws GatewayError. */
  cancel?(account: GatewayAccount, gatewayOrderId: string): Promise<unknown>;
  /**
   * Gives money back. Throws GatewayError: `retry` true where the outcome is unknown, false with the `reason` where the
   * gateway refused, `credentials` where it refused the account. A refusal such as CAPTURE_FULLY_REFUNDED may be the echo
   * of an earlier attempt that was never answered, so the caller looks again before it believes one.
   */
  refund(account: GatewayAccount, order: RefundOrder): Promise<RefundReport>;
  /** All refunds that the gateway knows of one payment, its own console's too; at most the newest hundred. */
  lookRefunds(account: GatewayAccount, of: RefundedPayment): Promise<RefundReport[]>;
};

export type RefundedPayment = Pick<RefundOrder, "gatewayPaymentId" | "gatewayOrderId">;

export type OpenIntent = { id: number; gatewayOrderId: string; amount: number; currency: string };

/** The gateway refused the request (`retry` false), or gave no usable answer. */
export class GatewayError extends Error {
  readonly retry: boolean;
  /** The refusal's own code or words, where the gateway gives them. */
  readonly reason: string | undefined;
  /** The status that it came with. */
  readonly status: number | undefined;

  constructor(message: string, retry: boolean, reason?: string, status?: number) {
    super(message);
    this.name = "GatewayError";
    this.retry = retry;
    this.reason = reason;
    this.status = status;
  }
}

/** What a gateway was given to recognise a payable by, in the map of names it came back in, or null. */
export function referenceIn(names: unknown): Reference | null {
  const [company, kind] = [textAt(names, "company"), textAt(names, "kind")];
  const reference = textAt(names, "reference");
  return company === null || kind === null || reference === null ? null : { company, kind, reference };
}

/** A report that moves nothing, and what it does say. */
export function reportOf(type: string, said: Partial<GatewayReport> = {}): GatewayReport {
  return {
    type,
    state: "ignored",
    gatewayOrderId: null,
    gatewayPaymentId: null,
    amount: null,
    orMore: false,
    currency: null,
    fee: null,
    method: null,
    reference: null,
    returnsTo: null,
    ...said,
  };
}
