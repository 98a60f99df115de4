export { recordOnlinePayment } from "./online.ts";
