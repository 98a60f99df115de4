export { advanceRemoved, giveBackCaptures, settleCaptures } from "./advances.ts";
export {
  advanceTheRest,
  type CaptureRow,
  isAdvance,
  largestFee,
  type Reported,
  selectCapture,
  storeCapture,
} from "./capture.ts";
export { holdsMoney } from "./of-invoice.ts";
