export { automaticRefunds } from "./automatic.ts";
export { planByNotes } from "./by-note.ts";
export { refundsDue } from "./due.ts";
export { refundReasonEraser, refundReasonErasure } from "./erase.ts";
export {
  exceeds,
  freeAdvance,
  freeOfInvoice,
  ofAdvance,
  refuseSmall,
  sharesOf,
} from "./find-target.ts";
export { type Held, selectHeld } from "./held.ts";
export {
  advancesOf,
  planAdvances,
  planOrderResolution,
  tooLate,
  type Wanted,
} from "./of-order.ts";
export { refundRuns, reportedRefundRuns, sendLater } from "./refund-runs.ts";
export { applyRefundReport } from "./report.ts";
export { askedBy, newRefund, type Plan, sendAnswering as sendRefunds, storing } from "./send.ts";
export { isStillOwed } from "./still-owed.ts";
