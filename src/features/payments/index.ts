export { recordOnlinePayment } from "./payments/record-online.ts";
export { accountOfMode, activeMode, modeInactive } from "./payments/record-payment.ts";
