export { recordOnlinePayment } from "./payments/record-online.ts";
export { paymentResource } from "./payments/resource.ts";
