export {
  advanceEnded,
  advanceRemoved,
  coverRefunds,
  documentsEnded,
} from "./advances.ts";
export {
  advanceTheRest,
  type CaptureRow,
  isAdvance,
  largestFee,
  nameCustomer,
  type Reported,
  recountRefunds,
  selectCapture,
  storeCapture,
} from "./capture.ts";
export { holdsMoney, ofBooking, ofCustomer, ofInvoice, ofOrder, withCaptures } from "./of-record.ts";
export { capture, shownCaptures } from "./record.ts";
export {
  giveBackCaptures,
  hasSettled,
  reopenCaptures,
  settleCaptures,
  settledAtGateway,
  takeBackSettlement,
} from "./settled-by-hand.ts";
