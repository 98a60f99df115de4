export { receivePaymentEvent, reconcilePayments } from "./payment.ts";
