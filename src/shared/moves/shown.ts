import { sum } from "#shared/money/shares.ts";
import type { RefundState } from "#shared/payments/refunds.ts";
import { type Move, net } from "./move.ts";
import type { CaptureMoney, SaleState } from "./state-of.ts";
import { isBack, type PartToAllocate } from "./to-allocate.ts";

/** What a capture shows. */
export function captureShows({ brought, settledByHand, fee, back, pool, ...rest }: CaptureMoney) {
  const paying = sum([...rest.documents.values()]);
  const ended = rest.fromPool > 0 ? "refunded" : "settled";
  return {
    amount: brought,
    invoiced_amount: paying,
    settled_amount: settledByHand + fee,
    refunded_amount: back,
    advance_amount: pool,
    state: pool > 0 ? "advance" : paying + rest.forOthers > 0 ? "invoiced" : ended,
  };
}

/** A document as it was issued. */
type Issued = { total: number; isVoided: boolean };

/** What an invoice shows, by its moves, and by what gateways gave back of its money by themselves. */
export function invoiceShows(
  { total, isVoided }: Issued,
  own: readonly Move[],
  parts: readonly PartToAllocate[],
) {
  const paid = net(own, ["pool", "hand"], ["invoice"]);
  const tds = net(own, ["tds"], ["invoice"]);
  const credited = net(own, ["note"], ["invoice"]);
  return {
    amount_paid: paid,
    tds_amount: tds,
    amount_credited: credited,
    amount_due: isVoided ? 0 : total - paid - tds - credited,
    refunded_without_credit_note: sum(parts.map(({ refund, amount }) => (isBack(refund) ? amount : 0))),
  };
}

/** What a credit note shows, by its moves. */
export function creditNoteShows({ total, isVoided }: Issued, own: readonly Move[]) {
  const applied = net(own, ["note"], ["invoice"]);
  const paidOut = net(own, ["note"], ["payout"]);
  const refunded = net(own, ["note"], ["refund", "to_allocate"]);
  return {
    applied_amount: applied,
    paid_out_amount: paidOut,
    gateway_refunded_amount: refunded,
    unapplied_amount: isVoided ? 0 : total - applied - paidOut - refunded,
  };
}

/** What decides beside its money what an order shows. */
export type OrderFacts = {
  isInvoiced: boolean;
  isInReview: boolean;
  /** Why staff are to look at it, but for what its gateway gave back by itself. */
  reviewCode: string | null;
  /** What came above its price, and stays in the pool. */
  surplus: number;
  /** Credit of its invoice that is due back. */
  credit: number;
  /** Whether staff have not looked yet at what its gateway gave back by itself. */
  hasRefundToReview: boolean;
};

/** What an order shows. */
export function orderShows(facts: OrderFacts, state: SaleState) {
  const isRefundReviewed = facts.isInvoiced && facts.hasRefundToReview;
  return {
    refund_status: refundStatus(state, state.came),
    refunded_amount: state.back,
    needs_refund: !facts.isInReview && (state.pool > facts.surplus || facts.credit > 0),
    review_code: facts.reviewCode ?? (isRefundReviewed ? "refunded_at_gateway" : null),
  };
}

/** What decides beside its money what a booking shows. */
export type BookingFacts = {
  paymentStatus: string;
  isMoneyReviewed: boolean;
  hasRefundToReview: boolean;
  /** Credit of its invoice that was paid out, or paid other invoices: its customer has that. */
  usedCredit: number;
  /** Whether a document of it stands that credit notes do not take back wholly. */
  hasDocument: boolean;
  /** What had gone back when it was shown last. */
  backBefore: number;
};

/** What a booking shows: `refunded` once all is back that was due; it is due again where a bank sends it back. */
export function bookingShows({ paymentStatus, usedCredit, ...facts }: BookingFacts, state: SaleState) {
  const most = state.came - usedCredit;
  const isAllBack = !state.isRunning && state.back + usedCredit > 0 && state.back >= most;
  const isOpen = paymentStatus === "paid" || paymentStatus === "refund_due";
  const isDueAgain = paymentStatus === "refunded" && state.back < Math.min(most, facts.backBefore);
  const ended = isOpen && isAllBack && !facts.hasDocument ? "refunded" : paymentStatus;
  return {
    payment_status: isDueAgain ? "refund_due" : ended,
    refund_status: refundStatus(state, most),
    refunded_amount: state.back,
    money_review: facts.isMoneyReviewed && (facts.hasRefundToReview || state.pool > 0 || state.isRunning),
  };
}

function refundStatus({ isRunning, back }: SaleState, most: number): RefundState {
  if (isRunning) return "pending";
  if (back === 0) return "none";
  return back < most ? "partial" : "refunded";
}
