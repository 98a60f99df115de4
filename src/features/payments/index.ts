export { type Mode, selectModeOrCash } from "./modes/mode-or-cash.ts";
export { invoiceEffects } from "./online/invoice-effects.ts";
export { recordModePayment } from "./payments/record-by-mode.ts";
export { recordOnlinePayment } from "./payments/record-online.ts";
export { activeMode, modeInactive } from "./payments/record-payment.ts";
export { takeBackPayments } from "./payments/refund.ts";
