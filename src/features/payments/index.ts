export { recordOnlinePayment } from "./payments/record-online.ts";
